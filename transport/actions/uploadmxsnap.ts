import { uploadAction } from "../action-api/snapshot-transfer.ts";

/** Stores a mixer snapshot from an uploaded file. */
export const uploadmxsnap = uploadAction(
  "uploadmxsnap",
  2,
  "Upload a mixer snapshot; SnapshotID 0 is the default one of mixer 0.",
);
