/**
 * Copies of files of the log: what is good of one is never written to in place.
 *
 * @module
 */
import { closing, type FileSystem, readFully, writeFully } from "./file-system.ts";
import { readAround } from "./salvage.ts";

/** How much is copied at a time, in bytes. */
const copyBytes = 1024 * 1024;

/**
 * Copies the first `bytes` bytes of a file, or all of it; resolves once they are durable. Zeros
 * stand for what cannot be read.
 */
export async function copyFile(
  files: FileSystem,
  from: string,
  to: string,
  bytes = Infinity,
): Promise<void> {
  await closing(files.openToRead(from), (source) =>
    closing(files.create(to), async (target) => {
      const readable = readAround(source);
      for (let at = 0; at < bytes;) {
        const buffer = new Uint8Array(Math.min(copyBytes, bytes - at));
        const piece = await readFully(readable, buffer, at);
        await writeFully(target, piece, at);
        at += piece.length;
        if (piece.length < buffer.length) break;
      }
      await target.sync();
    }));
}
