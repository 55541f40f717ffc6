/**
 * Records: how large they may be, and writing them into a file piece by piece.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { crc32 } from "../core/crc32.ts";
import type { RecordBytes } from "../core/ports.ts";
import { type OpenFile, writeFully } from "./file-system.ts";
import {
  encodeHeader,
  type Header,
  headerPlaces,
  putRecordHeader,
  recordHeaderBytes,
  seedOf,
  writeAfter,
} from "./format.ts";

/** The largest payload, in bytes. */
const maxRecordBytes = 512 * 1024 * 1024;

/**
 * Maximum size of records that are encoded and written in one piece, in bytes. Encoding that much
 * takes well under the 2 ms for which the event loop may be held.
 */
export const pieceBytes = 64 * 1024;

/**
 * Maximum size of a small record in a file, in bytes. Small records find space on a full medium.
 */
export const smallBytes = 4096;

/** Returns the parts of a record. */
function partsOf(record: RecordBytes): readonly Uint8Array[] {
  return record instanceof Uint8Array ? [record] : record;
}

/** Makes a copy of a record, in one buffer. */
export function whole(record: RecordBytes): Uint8Array {
  return concat(partsOf(record));
}

function lengthOf(record: RecordBytes): number {
  return partsOf(record).reduce((sum, { length }) => sum + length, 0);
}

/** Returns the space of records in a file, in bytes. */
export function storedBytes(...records: readonly RecordBytes[]): number {
  return records.reduce((sum, record) => sum + recordHeaderBytes + lengthOf(record), 0);
}

/**
 * Checks the size of a record, 1 byte to 512 MiB; returns the error, or undefined if it is
 * permitted.
 */
export function checkRecord(record: RecordBytes): RangeError | undefined {
  const length = lengthOf(record);
  if (length > 0 && length <= maxRecordBytes) return undefined;
  return new RangeError(`append: a record of ${length} bytes, expected 1 to ${maxRecordBytes}`);
}

/** Writes a header into a file, at both of its places. */
export async function writeHeader(file: OpenFile, header: Header): Promise<void> {
  const bytes = encodeHeader(header);
  for (const place of headerPlaces) await writeFully(file, bytes, place);
}

/** A place in a file to write records to. */
export interface Spot {
  readonly file: OpenFile;
  readonly salt: number;
  /** The end of the records before this place, as an offset in bytes. */
  readonly end: number;
}

/** Encodes records for a file in which the records before them end at `end`. */
export function encodeRecords(
  records: readonly RecordBytes[],
  { salt, end }: Omit<Spot, "file">,
): Uint8Array {
  const start = writeAfter(end);
  const encoded = new Uint8Array(storedBytes(...records));
  let at = 0;
  for (const record of records) {
    const seed = seedOf(salt, start + at);
    const header = encoded.subarray(at, at += recordHeaderBytes);
    let sum = seed;
    for (const part of partsOf(record)) {
      encoded.set(part, at);
      at += part.length;
      sum = crc32(part, sum);
    }
    putRecordHeader(header, seed, { length: lengthOf(record), durable: end, sum });
  }
  return encoded;
}

/**
 * Writes a large record piece by piece, and its header, which contains the checksum of the whole
 * record, last.
 */
async function writeLarge({ file, salt, end }: Spot, record: RecordBytes): Promise<void> {
  const start = writeAfter(end);
  const seed = seedOf(salt, start);
  let at = start + recordHeaderBytes;
  let sum = seed;
  for (const part of partsOf(record)) {
    for (let from = 0; from < part.length; from += pieceBytes) {
      const bytes = part.subarray(from, from + pieceBytes);
      sum = crc32(bytes, sum);
      await writeFully(file, bytes, at);
      at += bytes.length;
    }
  }
  const header = new Uint8Array(recordHeaderBytes);
  putRecordHeader(header, seed, { length: lengthOf(record), durable: end, sum });
  await writeFully(file, header, start);
}

/**
 * Writes a piece, which is one record, or several of at most {@link pieceBytes} together, behind
 * the records that end at `spot.end`; resolves with the offset behind it. It is durable once the
 * file is synced.
 */
export async function writePiece(spot: Spot, piece: readonly RecordBytes[]): Promise<number> {
  const bytes = storedBytes(...piece);
  const start = writeAfter(spot.end);
  if (bytes > pieceBytes) await writeLarge(spot, piece[0]!);
  else await writeFully(spot.file, encodeRecords(piece, spot), start);
  return start + bytes;
}
