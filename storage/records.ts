/**
 * Writing records into a file.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import type { RecordBytes } from "../core/ports.ts";
import { type File, writeFully } from "./file-system.ts";
import { beginRecordHeader, encodeRecordHeader, finishRecordHeader } from "./format.ts";
import { lengthOf, partsOf } from "./record-bytes.ts";
import { recordHeaderBytes, storedBytes } from "./record-size.ts";

/**
 * The most that is encoded and written in one piece, in bytes. Encoding that much takes well under
 * the 2 ms for which the event loop may be held.
 */
export const pieceBytes = 64 * 1024;

/** Takes from the front of `queue` what fits one piece: at least one entry, if there is one. */
export function takePiece<T>(queue: T[], recordOf: (entry: T) => RecordBytes): T[] {
  let bytes = 0;
  let count = 0;
  for (const entry of queue) {
    bytes += storedBytes(recordOf(entry));
    if (count > 0 && bytes > pieceBytes) break;
    count += 1;
  }
  return queue.splice(0, count);
}

function encode(records: readonly RecordBytes[], start: number, bytes: number): Uint8Array {
  const encoded = new Uint8Array(bytes);
  let at = 0;
  for (const record of records) {
    const payload = encoded.subarray(at + recordHeaderBytes, at + storedBytes(record));
    fill(payload, record, 0);
    encodeRecordHeader(encoded, at, start, payload);
    at += storedBytes(record);
  }
  return encoded;
}

/** Copies into `target` what stands in a record from byte `from` on. */
function fill(target: Uint8Array, record: RecordBytes, from: number): void {
  let start = -from;
  for (const part of partsOf(record)) {
    const [first, end] = [Math.max(0, -start), Math.min(part.length, target.length - start)];
    if (first < end) target.set(part.subarray(first, end), start + first);
    start += part.length;
  }
}

/** A large record goes piece by piece; its header last, as it makes it valid. */
async function writeLarge(file: File, start: number, record: RecordBytes): Promise<void> {
  const header = new Uint8Array(recordHeaderBytes);
  const length = lengthOf(record);
  let sum = beginRecordHeader(header, 0, start, length);
  const buffer = new Uint8Array(pieceBytes);
  for (let at = 0; at < length; at += pieceBytes) {
    const piece = buffer.subarray(0, Math.min(pieceBytes, length - at));
    fill(piece, record, at);
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
  records: readonly RecordBytes[],
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
