import { loadBrowserShare } from "./load-browser-share.ts";

await loadBrowserShare(1);
