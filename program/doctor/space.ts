import { reasonOf } from "../../core/errors.ts";
import { AUDIT_FILE_BYTES } from "../../core/limits.ts";
import { type Check, type Finding, note, well, wrong } from "./check.ts";

const MIB = 1024 * 1024;

/**
 * Minimum free space in bytes: with less the log may find no room for a checkpoint, so that it
 * cannot be compacted.
 */
const LEAST_BYTES = 16 * MIB;

/**
 * Checks whether the medium has room for a second copy of the data, as when the log is written
 * anew, and to spare.
 */
export const space: Check = async ({ data }): Promise<Finding> => {
  const { statfs } = await import("node:fs/promises");
  let free: number;
  let nodes: number;
  try {
    const { bavail, bsize, ffree, files } = await statfs(data);
    free = bavail * bsize;
    // A file system that allocates inodes on demand reports 0 of 0.
    nodes = files === 0 ? Infinity : ffree;
  } catch (fault) {
    const missing = fault instanceof Deno.errors.NotFound ||
      (fault as { code?: string }).code === "ENOENT";
    return note(
      `the space of ${data} is not known: ${missing ? "it is not there" : reasonOf(fault)}`,
    );
  }
  const used = bytesIn(data);
  const wanted = used + 2 * AUDIT_FILE_BYTES + LEAST_BYTES;
  const says = `${Math.floor(free / MIB)} MiB are free, the data has ${Math.ceil(used / MIB)} MiB`;
  if (free < LEAST_BYTES || nodes < 16) {
    return wrong(
      nodes < 16 ? `the medium takes no more files, ${says}` : says,
      `make room for ${data}`,
    );
  }
  if (free < wanted) {
    return note(says, `${Math.ceil(wanted / MIB)} MiB are wanted; make room for ${data}`);
  }
  return well(says);
};

function bytesIn(data: string): number {
  try {
    return [...Deno.readDirSync(data)].filter(({ isFile }) => isFile)
      .reduce((sum, { name }) => sum + Deno.statSync(`${data}/${name}`).size, 0);
  } catch {
    return 0;
  }
}
