/**
 * Copies files of the log, because their good records are never written to in place.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import { closing, type FileSystem, type OpenFile, readFully, writeFully } from "./file-system.ts";
import { writeAfter } from "./format.ts";

/** Number of bytes that are copied at a time. */
const copyBytes = 1024 * 1024;

/** Returns the reader of a file. */
export type Through = (file: OpenFile) => Pick<OpenFile, "read">;

/** Reads the first `limit` bytes of a file, piece by piece. */
async function* piecesOf(
  file: Pick<OpenFile, "read">,
  limit = Infinity,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < limit; at += copyBytes) {
    const buffer = new Uint8Array(Math.min(copyBytes, limit - at));
    const piece = await readFully(file, buffer, at);
    yield piece;
    if (piece.length < buffer.length) break;
  }
}

/**
 * Copies a file, or its first `bytes`, filled up to a sector with zeros; resolves once the copy is
 * durable. If that fails, the incomplete copy is removed, because it takes space that a full medium
 * needs.
 */
export async function copyFile(
  files: FileSystem,
  from: string,
  to: string,
  { bytes, read = (file) => file }: { readonly bytes?: number; readonly read?: Through },
): Promise<void> {
  await closing(files.openToRead(from), (source) =>
    closing(files.create(to), async (target) => {
      let at = 0;
      for await (const piece of piecesOf(read(source), bytes)) {
        await writeFully(target, piece, at);
        at += piece.length;
      }
      if (bytes !== undefined) await target.truncate(writeAfter(bytes));
      await target.sync();
    }).catch(async (fault) => {
      await files.remove(to).catch(() => {});
      throw fault;
    }));
}

/** Returns a checksum over the length and the bytes of a file, as `read` gives them. */
export async function sumOfFile(
  files: FileSystem,
  path: string,
  read: Through = (file) => file,
): Promise<string> {
  return await closing(files.openToRead(path), async (file) => {
    let length = 0;
    let sum = 0;
    for await (const piece of piecesOf(read(file))) {
      length += piece.length;
      sum = crc32(piece, sum);
    }
    return `${length}:${sum}`;
  });
}
