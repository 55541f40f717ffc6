import { loadShare } from "../load-share.ts";

await loadShare(1);
