import { loadUnitShare } from "./load-unit-share.ts";

await loadUnitShare(4);
