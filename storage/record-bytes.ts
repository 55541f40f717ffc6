/**
 * Records that may come in parts.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";

/** The parts of a record. */
export function partsOf(record: RecordBytes): readonly Uint8Array[] {
  return record instanceof Uint8Array ? [record] : record;
}

/** The length of a record, in bytes. */
export function lengthOf(record: RecordBytes): number {
  if (record instanceof Uint8Array) return record.length;
  return record.reduce((sum, { length }) => sum + length, 0);
}

/** A copy of a record, in one buffer. */
export function joined(record: RecordBytes): Uint8Array {
  const whole = new Uint8Array(lengthOf(record));
  let at = 0;
  for (const part of partsOf(record)) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
