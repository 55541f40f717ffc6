/**
 * Archives of backups as files.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { streamOf } from "../core/backup/stream-of.ts";
import { BACKUP_PACKED_BYTES } from "../core/limits.ts";
import { Failure } from "./failure.ts";
import { replaceFile } from "./private-file.ts";
import { type Recipient, sealed } from "./seal/seal.ts";
import { type Opener, unsealed } from "./seal/unseal.ts";

/** Upper bound of the bytes that encryption adds to the largest archive. */
const SEALING_BYTES = 64 * 1024;

/** The path that stands for standard output instead of a file. */
export const STANDARD_OUTPUT = "-";

/**
 * Writes an archive, encrypted if there is a recipient, to a file, which is replaced only once all
 * of the archive is there, or to standard output; throws {@link Failure} if it does not arrive
 * whole or cannot be written.
 */
export async function writeArchive(
  path: string,
  archive: ReadableStream<Uint8Array>,
  recipient?: Recipient,
): Promise<void> {
  const written = recipient === undefined ? archive : streamOf(sealed(archive, recipient));
  try {
    if (path === STANDARD_OUTPUT) await written.pipeTo(Deno.stdout.writable);
    else await replaceFile(path, written);
  } catch (fault) {
    const where = path === STANDARD_OUTPUT ? "standard output" : path;
    throw new Failure(`${where} could not be written: ${reasonOf(fault)}`);
  }
}

/**
 * Opens an archive, and its encryption; throws {@link Failure} if it cannot be read, or is larger
 * than any archive can be.
 */
export async function openArchive(
  path: string,
  opener: Opener,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  try {
    const file = await Deno.open(path);
    const { size } = await file.stat();
    if (size <= BACKUP_PACKED_BYTES + SEALING_BYTES) {
      return streamOf(unsealed(file.readable, opener));
    }
    file.close();
  } catch (fault) {
    throw new Failure(`${path} cannot be read: ${reasonOf(fault)}`);
  }
  throw new Failure(`${path} is larger than ${BACKUP_PACKED_BYTES} bytes`);
}
