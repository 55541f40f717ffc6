/**
 * Looking at a log without opening it: what `faderd log verify` and `faderd log dump` show. Nothing
 * is changed, apart from the lock that keeps others out meanwhile.
 *
 * @module
 */
import { denoFileSystem } from "./deno-file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { lockFolder } from "./lock.ts";
import { recover, type Recovered, type VisitRecord } from "./recovery.ts";

/**
 * Reads all of the log in `directory`: its records counted, its files with their sizes, and a cut or
 * damage if there is one. Rejects as {@link openLog} does.
 */
export function verifyLog(
  directory: string,
  files: FileSystem = denoFileSystem,
): Promise<Recovered> {
  return dumpLog(directory, () => {}, files);
}

/** As {@link verifyLog}; gives every good record to `visit`, with its segment and offset. */
export async function dumpLog(
  directory: string,
  visit: VisitRecord,
  files: FileSystem = denoFileSystem,
): Promise<Recovered> {
  const release = await lockFolder(files, directory);
  try {
    return await recover(files, directory, visit);
  } finally {
    release();
  }
}
