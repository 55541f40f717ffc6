import { downloadAction } from "../action-api/snapshot-transfer.ts";

/** Returns a channel snapshot as a file. */
export const downloadchsnap = downloadAction("downloadchsnap", 1, "Download a channel snapshot.");
