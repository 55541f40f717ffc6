/**
 * Archives of backups as files.
 *
 * @module
 */
import { BACKUP_PACKED_BYTES } from "../core/limits.ts";
import { Failure } from "./failure.ts";
import { reasonOf } from "./print.ts";
import { replaceFile } from "./private-file.ts";

/** In the place of a file it means standard output. */
export const STANDARD_OUTPUT = "-";

/**
 * Writes an archive to a file, which stays as it was until all of it is there, or to standard
 * output; throws {@link Failure} where it does not come whole or cannot be written.
 */
export async function writeArchive(
  path: string,
  archive: ReadableStream<Uint8Array>,
): Promise<void> {
  try {
    if (path === STANDARD_OUTPUT) await archive.pipeTo(Deno.stdout.writable);
    else await replaceFile(path, archive);
  } catch (fault) {
    const where = path === STANDARD_OUTPUT ? "standard output" : path;
    throw new Failure(`${where} could not be written: ${reasonOf(fault)}`);
  }
}

/** Opens an archive; throws {@link Failure} where it cannot be read, or is larger than any is. */
export async function openArchive(path: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  try {
    const file = await Deno.open(path);
    const { size } = await file.stat();
    if (size <= BACKUP_PACKED_BYTES) return file.readable;
    file.close();
  } catch (fault) {
    throw new Failure(`${path} cannot be read: ${reasonOf(fault)}`);
  }
  throw new Failure(`${path} is larger than ${BACKUP_PACKED_BYTES} bytes`);
}
