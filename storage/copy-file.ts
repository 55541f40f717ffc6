/**
 * Copies of files of the log: what is good of one is never written to in place.
 *
 * @module
 */
import { closing, type FileSystem, type OpenFile, readFully, writeFully } from "./file-system.ts";
import { writeAfter } from "./format.ts";

/** How much is copied at a time, in bytes. */
const copyBytes = 1024 * 1024;

/** How a file is copied. */
export interface CopyOptions {
  /** How much of it, in bytes, filled up to a sector with zeros; all, unless it is given. */
  readonly bytes?: number;
  /** What it is read through. */
  readonly read?: (file: OpenFile) => Pick<OpenFile, "read">;
}

/**
 * Copies a file; resolves once the copy is durable. Where that fails, what there is of it is
 * removed, as it takes room that a full medium needs.
 */
export async function copyFile(
  files: FileSystem,
  from: string,
  to: string,
  { bytes = Infinity, read = (file) => file }: CopyOptions,
): Promise<void> {
  await closing(files.openToRead(from), (source) =>
    closing(files.create(to), async (target) => {
      for (let at = 0; at < bytes;) {
        const buffer = new Uint8Array(Math.min(copyBytes, bytes - at));
        const piece = await readFully(read(source), buffer, at);
        await writeFully(target, piece, at);
        at += piece.length;
        if (piece.length < buffer.length) break;
      }
      if (bytes < Infinity) await target.truncate(writeAfter(bytes));
      await target.sync();
    }).catch(async (fault) => {
      await files.remove(to).catch(() => {});
      throw fault;
    }));
}

/** Says whether a copy of all of a file has its bytes, as `read` gives them. */
export async function isCopy(
  files: FileSystem,
  from: string,
  to: string,
  read: NonNullable<CopyOptions["read"]>,
): Promise<boolean> {
  return await closing(
    files.openToRead(from),
    (source) =>
      closing(files.openToRead(to), async (copy) => {
        for (let at = 0;; at += copyBytes) {
          const expected = await readFully(read(source), new Uint8Array(copyBytes), at);
          const piece = await readFully(copy, new Uint8Array(copyBytes), at);
          const isSame = piece.length === expected.length &&
            piece.every((byte, index) => byte === expected[index]);
          if (!isSame || piece.length < copyBytes) return isSame;
        }
      }),
  );
}
