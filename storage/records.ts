/**
 * Writing records into a file.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import { type File, writeFully } from "./file-system.ts";
import { beginRecordHeader, encodeRecordHeader, finishRecordHeader } from "./format.ts";
import { recordHeaderBytes, storedBytes } from "./record-size.ts";

/**
 * The most that is encoded and written in one piece, in bytes. Encoding that much takes well under
 * the 2 ms for which the event loop may be held.
 */
export const pieceBytes = 64 * 1024;

/** Takes from the front of `queue` what fits one piece: at least one entry, if there is one. */
export function takePiece<T>(queue: T[], recordOf: (entry: T) => Uint8Array): T[] {
  let bytes = 0;
  let count = 0;
  for (const entry of queue) {
    bytes += storedBytes(recordOf(entry));
    if (count > 0 && bytes > pieceBytes) break;
    count += 1;
  }
  return queue.splice(0, count);
}

function encode(records: readonly Uint8Array[], start: number, bytes: number): Uint8Array {
  const encoded = new Uint8Array(bytes);
  let at = 0;
  for (const payload of records) {
    encodeRecordHeader(encoded, at, start, payload);
    encoded.set(payload, at + recordHeaderBytes);
    at += storedBytes(payload);
  }
  return encoded;
}

/** A large record goes without a copy, piece by piece; its header last, as it makes it valid. */
async function writeLarge(file: File, start: number, payload: Uint8Array): Promise<void> {
  const header = new Uint8Array(recordHeaderBytes);
  let sum = beginRecordHeader(header, 0, start, payload.length);
  for (let at = 0; at < payload.length; at += pieceBytes) {
    const piece = payload.subarray(at, at + pieceBytes);
    sum = crc32(piece, sum);
    await writeFully(file, piece, start + recordHeaderBytes + at);
  }
  finishRecordHeader(header, 0, sum);
  await writeFully(file, header, start);
}

/** Writes records from `start` on; resolves with the offset behind them, once they are durable. */
export async function writeRecords(
  file: File,
  start: number,
  records: readonly Uint8Array[],
): Promise<number> {
  const waiting = [...records];
  let end = start;
  while (waiting.length > 0) {
    const piece = takePiece(waiting, (record) => record);
    const bytes = piece.reduce((sum, record) => sum + storedBytes(record), 0);
    if (bytes > pieceBytes) await writeLarge(file, end, piece[0]!);
    else await writeFully(file, encode(piece, end, bytes), end);
    end += bytes;
  }
  return end;
}
