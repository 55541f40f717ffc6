import { downloadAction } from "./snapshot-file.ts";

/** Gives a mixer snapshot as a file. */
export const downloadmxsnap = downloadAction("downloadmxsnap", 2, "Download a mixer snapshot.");
