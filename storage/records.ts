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

/** Answers the parts of a record. */
export function partsOf(record: RecordBytes): readonly Uint8Array[] {
  return record instanceof Uint8Array ? [record] : record;
}

function lengthOf(record: RecordBytes): number {
  return partsOf(record).reduce((sum, { length }) => sum + length, 0);
}

/** Answers the space of records in a file, in bytes. */
export function storedBytes(...records: readonly RecordBytes[]): number {
  return records.reduce((sum, record) => sum + recordHeaderBytes + lengthOf(record), 0);
}

/** Says what is wrong with a record, which has to have 1 byte to 512 MiB; undefined when it has. */
export function checkRecord(record: RecordBytes): RangeError | undefined {
  const length = lengthOf(record);
  if (length > 0 && length <= maxRecordBytes) return undefined;
  return new RangeError(`append: a record of ${length} bytes, expected 1 to ${maxRecordBytes}`);
}

/** Records as they stand in a file when their write begins at `start`. */
export function encodeRecords(records: readonly RecordBytes[], start: number): Uint8Array {
  const encoded = new Uint8Array(storedBytes(...records));
  let at = 0;
  for (const record of records) {
    const header = encoded.subarray(at, at += recordHeaderBytes);
    let sum = beginRecordHeader(header, start, lengthOf(record));
    for (const part of partsOf(record)) {
      encoded.set(part, at);
      at += part.length;
      sum = crc32(part, sum);
    }
    finishRecordHeader(header, sum);
  }
  return encoded;
}

/** Writes a large record bit by bit; its header goes last, as it makes the record valid. */
async function writeLarge(file: OpenFile, start: number, record: RecordBytes): Promise<void> {
  const header = new Uint8Array(recordHeaderBytes);
  let sum = beginRecordHeader(header, start, lengthOf(record));
  let end = start + recordHeaderBytes;
  for (const part of partsOf(record)) {
    for (let at = 0; at < part.length; at += pieceBytes) {
      const bytes = part.subarray(at, at + pieceBytes);
      sum = crc32(bytes, sum);
      await writeFully(file, bytes, end);
      end += bytes.length;
    }
  }
  finishRecordHeader(header, sum);
  await writeFully(file, header, start);
}

/**
 * Writes a piece, which is one record or several of together at most {@link pieceBytes}, from
 * `start` on; resolves with the offset behind it. It is durable once the file is synced.
 */
export async function writePiece(
  file: OpenFile,
  start: number,
  piece: readonly RecordBytes[],
): Promise<number> {
  const bytes = storedBytes(...piece);
  if (bytes > pieceBytes) await writeLarge(file, start, piece[0]!);
  else await writeFully(file, encodeRecords(piece, start), start);
  return start + bytes;
}
