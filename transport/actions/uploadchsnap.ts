import { uploadAction } from "../action-api/snapshot-transfer.ts";

/** Stores a channel snapshot from an uploaded file. */
export const uploadchsnap = uploadAction("uploadchsnap", 1, "Upload a channel snapshot.");
