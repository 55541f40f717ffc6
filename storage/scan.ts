/**
 * Reading the records of one file, and telling a torn tail from damage.
 *
 * @module
 */
import { type OpenFile, readFully } from "./file-system.ts";
import {
  claimedBytes,
  claimedStart,
  decodeRecord,
  headerBytes,
  recordHeaderBytes,
} from "./format.ts";

/** How much is read at a time, in bytes; a larger record is read whole. */
const windowBytes = 64 * 1024;

/** Takes one record: its payload, which is good until the next, and where it begins. */
export type Visit = (payload: Uint8Array, offset: number) => void;

/**
 * Visits records from the header on, up to `limit` or the first that is not whole and right;
 * resolves with the offset of the first byte that is no part of a good record.
 */
export async function scan(file: OpenFile, limit: number, visit: Visit): Promise<number> {
  // All windows share a buffer: with one for each, the process would keep the memory of them all.
  let buffer = new Uint8Array(Math.min(windowBytes, limit));
  let window: DataView = new DataView(buffer.buffer, 0, 0);
  let base = headerBytes;
  let end = headerBytes;

  const loaded = (needed: number) => end - base + needed <= window.byteLength;
  const load = async (needed: number): Promise<boolean> => {
    const wanted = Math.min(Math.max(needed, windowBytes), limit - end);
    if (wanted > buffer.length) buffer = new Uint8Array(wanted);
    const read = await readFully(file, buffer.subarray(0, wanted), end);
    window = new DataView(read.buffer, 0, read.length);
    base = end;
    return loaded(needed);
  };

  while (
    limit - end > recordHeaderBytes &&
    (loaded(recordHeaderBytes) || await load(recordHeaderBytes))
  ) {
    const claimed = claimedBytes(window, end - base);
    if (claimed > limit - end || !(loaded(claimed) || await load(claimed))) break;
    const payload = decodeRecord(window, end - base);
    if (payload === undefined) break;
    visit(payload, end);
    end += claimed;
  }
  return end;
}

/**
 * Says what follows the good records of the last segment: `nothing` (the end, or reserved zeros),
 * `torn` (a write that power cut off: nobody was told that it succeeded), or `damage`.
 *
 * It is damage when a good record further on says that its write began behind `end`: then what
 * stood at `end` was on the medium before, and acknowledged.
 */
export function judgeTail(rest: Uint8Array, end: number): "nothing" | "torn" | "damage" {
  if (rest.every((byte) => byte === 0)) return "nothing";
  const view = new DataView(rest.buffer, rest.byteOffset, rest.length);
  for (let at = 1; at < rest.length - recordHeaderBytes; at++) {
    const start = claimedStart(view, at);
    if (start > end && start <= end + at && decodeRecord(view, at) !== undefined) return "damage";
  }
  return "torn";
}
