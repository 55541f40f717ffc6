/**
 * Reads a file sequentially, with only a part of it in memory at a time.
 *
 * @module
 */
import { type OpenFile, readFully } from "./file-system.ts";
import { sectorBytes } from "./format.ts";
import { isUnreadable } from "./storage-error.ts";

/** Number of bytes that are read at a time; a larger record is read as a whole. */
export const windowBytes = 64 * 1024;

/** The part of a file that is in memory. */
export type Window = ReturnType<typeof createWindow>;

/** Makes a window on the first `limit` bytes of a file. */
export function createWindow(file: Pick<OpenFile, "read">, limit: number) {
  // All windows share a buffer: with one for each, the process would keep the memory of all.
  let buffer = new Uint8Array(Math.min(windowBytes, limit));
  let view: DataView = new DataView(buffer.buffer, 0, 0);
  let base = 0;
  /** Says whether `bytes` bytes from a place on are in memory. */
  const holds = (place: number, bytes: number) =>
    place >= base && place - base + bytes <= view.byteLength;
  return {
    /** A view of the bytes in memory; replaced by each load. */
    get view(): DataView {
      return view;
    },
    /** Converts an offset in the file to one in the view. */
    at: (place: number) => place - base,
    holds,
    /** Reads from an offset on; resolves with whether `bytes` bytes are in memory then. */
    async load(place: number, bytes: number): Promise<boolean> {
      const wanted = Math.max(0, Math.min(Math.max(bytes, windowBytes), limit - place));
      if (wanted > buffer.length) buffer = new Uint8Array(wanted);
      const read = await readReadable(file, buffer.subarray(0, wanted), place, bytes);
      view = new DataView(read.buffer, 0, read.length);
      base = place;
      return holds(place, bytes);
    },
  };
}

/**
 * Fills `buffer` up to the end of the file or the first sector that cannot be read; rejects if that
 * is less than `needed` bytes. An unreadable sector that was only read ahead must not hide what
 * stands before it.
 */
async function readReadable(
  file: Pick<OpenFile, "read">,
  buffer: Uint8Array,
  place: number,
  needed: number,
): Promise<Uint8Array> {
  try {
    return await readFully(file, buffer, place);
  } catch (fault) {
    if (!isUnreadable(fault)) throw fault;
  }
  let good = 0;
  while (good < buffer.length) {
    const next = Math.min(buffer.length, good + sectorBytes - (place + good) % sectorBytes);
    try {
      const piece = await readFully(file, buffer.subarray(good, next), place + good);
      if (piece.length < next - good) return buffer.subarray(0, good + piece.length);
    } catch (fault) {
      if (!isUnreadable(fault) || good < needed) throw fault;
      break;
    }
    good = next;
  }
  return buffer.subarray(0, good);
}
