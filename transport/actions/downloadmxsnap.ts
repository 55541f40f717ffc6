import { downloadAction } from "../action-api/snapshot-transfer.ts";

/** Returns a mixer snapshot as a file. */
export const downloadmxsnap = downloadAction(
  "downloadmxsnap",
  2,
  "Download a mixer snapshot; SnapshotID 0 is the default one of mixer 0.",
);
