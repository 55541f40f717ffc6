/**
 * The bytes of the log as version 1 wrote them, which are only read: files of it are replaced by
 * the next checkpoint. Its header has 32 bytes, that of a record 12: a sum of all that follows, the
 * length, and the offset at which the write that carried the record began. It has no salt.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import { hasMagic, type Header } from "./format.ts";

/** Where the records of such a file begin, in bytes. */
export const recordsFrom1 = 32;
/** The header before every payload, in bytes. */
export const recordHeaderBytes1 = 12;
const summedBytes = 28;

/** Reads a header; undefined where it is another. */
export function decodeHeader1(bytes: Uint8Array): Header | undefined {
  if (bytes.length < recordsFrom1 || !hasMagic(bytes)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(8) !== 1) return undefined;
  if (view.getUint32(summedBytes) !== crc32(bytes.subarray(0, summedBytes))) return undefined;
  return {
    version: 1,
    kind: view.getUint32(12) === 1 ? "segment" : "checkpoint",
    sequence: view.getUint32(16),
    end: Number(view.getBigUint64(20)),
    salt: 0,
  };
}

/** Answers the space that the record at `at` claims to take, in bytes. */
export function claimedBytes1(view: DataView, at: number): number {
  return recordHeaderBytes1 + view.getUint32(at + 4);
}

/** Answers the payload of the record at `at` when it is all in `view` and its sum is right. */
export function decodeRecord1(view: DataView, at: number): Uint8Array | undefined {
  const bytes = claimedBytes1(view, at);
  if (bytes === recordHeaderBytes1 || at + bytes > view.byteLength) return undefined;
  const summed = new Uint8Array(view.buffer, view.byteOffset + at + 4, bytes - 4);
  return crc32(summed) === view.getUint32(at) ? summed.subarray(recordHeaderBytes1 - 4) : undefined;
}

/** Most bytes that are summed to judge a tail: the sums of version 1 can be asked for by a client. */
const mostSummed = 64 * 1024 * 1024;

/**
 * Says what follows the good records of the last segment, as `judgeTail` of scan.ts does. Where
 * that would take too long it is damage, for people to look at.
 */
export function judgeTail1(rest: Uint8Array, end: number): "nothing" | "torn" | "damage" {
  if (rest.every((byte) => byte === 0)) return "nothing";
  const view = new DataView(rest.buffer, rest.byteOffset, rest.length);
  let summed = 0;
  for (let at = 1; at < rest.length - recordHeaderBytes1; at++) {
    const start = view.getUint32(at + 8);
    if (start <= end || start > end + at) continue;
    const bytes = claimedBytes1(view, at);
    if (at + bytes > rest.length) continue;
    summed += bytes;
    if (summed > mostSummed || decodeRecord1(view, at) !== undefined) return "damage";
  }
  return "torn";
}
