import { uploadAction } from "../action-api/snapshot-transfer.ts";

/** Takes a channel snapshot from a file. */
export const uploadchsnap = uploadAction("uploadchsnap", 1, "Upload a channel snapshot.");
