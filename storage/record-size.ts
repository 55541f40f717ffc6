/**
 * How large a record may be, and what it takes.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { lengthOf } from "./record-bytes.ts";

/** What precedes every payload: CRC-32, length, start. In bytes. */
export const recordHeaderBytes = 12;
/** The largest payload, in bytes. */
export const maxRecordBytes = 512 * 1024 * 1024;

/** The space of a record in a file, in bytes. */
export function storedBytes(payload: RecordBytes): number {
  return recordHeaderBytes + lengthOf(payload);
}

/** What is wrong with a record, if something is: it has 1 to {@link maxRecordBytes} bytes. */
export function checkRecord(record: RecordBytes): RangeError | undefined {
  const length = lengthOf(record);
  if (length > 0 && length <= maxRecordBytes) return undefined;
  return new RangeError(`append: a record of ${length} bytes, expected 1 to ${maxRecordBytes}`);
}
