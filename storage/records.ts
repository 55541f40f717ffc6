/**
 * Records: how large they may be, and writing them into a file piece by piece.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import type { RecordBytes } from "../core/ports.ts";
import { type OpenFile, writeFully } from "./file-system.ts";
import { beginRecordHeader, finishRecordHeader, recordHeaderBytes } from "./format.ts";

/** The largest payload, in bytes. */
const maxRecordBytes = 512 * 1024 * 1024;

/**
 * The most that is encoded and written in one piece, in bytes. Encoding that much takes well under
 * the 2 ms for which the event loop may be held.
 */
export const pieceBytes = 64 * 1024;

/** The parts of a record. */
export function partsOf(record: RecordBytes): readonly Uint8Array[] {
  return record instanceof Uint8Array ? [record] : record;
}

function lengthOf(record: RecordBytes): number {
  return partsOf(record).reduce((sum, { length }) => sum + length, 0);
}

/** The space of a record in a file, in bytes. */
export function storedBytes(record: RecordBytes): number {
  return recordHeaderBytes + lengthOf(record);
}

/** What is wrong with a record, if something is: it has 1 to 512 MiB. */
export function checkRecord(record: RecordBytes): RangeError | undefined {
  const length = lengthOf(record);
  if (length > 0 && length <= maxRecordBytes) return undefined;
  return new RangeError(`append: a record of ${length} bytes, expected 1 to ${maxRecordBytes}`);
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

/** Records as they stand in a file, `bytes` long, when their write begins at `start`. */
export function encodeRecords(
  records: readonly RecordBytes[],
  start: number,
  bytes: number,
): Uint8Array {
  const encoded = new Uint8Array(bytes);
  let at = 0;
  for (const record of records) {
    const whole = encoded.subarray(at, at += storedBytes(record));
    const payload = whole.subarray(recordHeaderBytes);
    fill(payload, record, 0);
    finishRecordHeader(whole, crc32(payload, beginRecordHeader(whole, start, payload.length)));
  }
  return encoded;
}

/** A large record goes in parts of its own; its header goes last, as it makes the record valid. */
async function writeLarge(file: OpenFile, start: number, record: RecordBytes): Promise<void> {
  const header = new Uint8Array(recordHeaderBytes);
  const length = lengthOf(record);
  let sum = beginRecordHeader(header, start, length);
  const buffer = new Uint8Array(pieceBytes);
  for (let at = 0; at < length; at += pieceBytes) {
    const part = buffer.subarray(0, Math.min(pieceBytes, length - at));
    fill(part, record, at);
    sum = crc32(part, sum);
    await writeFully(file, part, start + recordHeaderBytes + at);
  }
  finishRecordHeader(header, sum);
  await writeFully(file, header, start);
}

/**
 * Writes a piece, which is one record or several of together at most {@link pieceBytes}, from `start`
 * on; resolves with the offset behind it, once it is durable.
 */
export async function writePiece(
  file: OpenFile,
  start: number,
  piece: readonly RecordBytes[],
): Promise<number> {
  const bytes = piece.reduce((sum, record) => sum + storedBytes(record), 0);
  if (bytes > pieceBytes) await writeLarge(file, start, piece[0]!);
  else await writeFully(file, encodeRecords(piece, start, bytes), start);
  return start + bytes;
}
