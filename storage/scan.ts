/**
 * Reading the records of one file, and telling a torn tail from damage.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import type { OpenFile } from "./file-system.ts";
import {
  type RecordHeader,
  recordHeaderAt,
  recordHeaderBytes,
  sectorBytes,
  seedOf,
  writeAfter,
} from "./format.ts";
import { createWindow, type Window, windowBytes } from "./window.ts";

/** Takes one record: its payload, which is valid until the next record, and its offset. */
export type Visit = (payload: Uint8Array, offset: number) => void | Promise<void>;

/** A file to read records from. */
export interface Source {
  readonly file: Pick<OpenFile, "read">;
  readonly salt: number;
  /** Upper bound of the end of its records, as an offset in bytes. */
  readonly limit: number;
}

/** The progress of reading. */
export interface Progress {
  /** The offset of the first byte that is not part of a good record. */
  end: number;
  /** The end of the records that were on the medium before the write of the last record began. */
  durable: number;
}

/**
 * Visits records from `progress` on, up to the limit or the first record that is incomplete or
 * invalid. It updates `progress`, also if it rejects because the file cannot be read.
 */
export async function scan(source: Source, progress: Progress, visit: Visit): Promise<void> {
  const window = createWindow(source.file, source.limit);
  while (true) {
    const start = writeAfter(progress.end);
    if (!window.holds(progress.end, recordHeaderBytes)) {
      await window.load(progress.end, recordHeaderBytes);
    }
    let found = nextHeader(window, source, progress);
    if (found === undefined && !window.holds(start, recordHeaderBytes)) {
      await window.load(start, recordHeaderBytes);
      found = nextHeader(window, source, progress);
    }
    if (found === undefined) return;
    const { offset, header } = found;
    const bytes = recordHeaderBytes + header.length;
    if (!window.holds(offset, bytes) && !await window.load(offset, bytes)) return;
    const payload = payloadAt(window, offset, header, source.salt);
    if (payload === undefined) return;
    const taking = visit(payload, offset);
    if (taking !== undefined) await taking;
    progress.end = offset + bytes;
    progress.durable = header.durable;
  }
}

/**
 * Finds the header of the next record, which either follows the last record directly, in the same
 * write, or begins the next write.
 */
function nextHeader(
  { view, at, holds }: Window,
  { salt, limit }: Source,
  { end, durable }: Progress,
): { readonly offset: number; readonly header: RecordHeader } | undefined {
  const start = writeAfter(end);
  for (const offset of end === start ? [end] : [end, start]) {
    if (!holds(offset, recordHeaderBytes)) continue;
    const header = recordHeaderAt(view, at(offset), seedOf(salt, offset));
    if (header === undefined || offset + recordHeaderBytes + header.length > limit) continue;
    const isNext = offset === end && header.durable === durable ||
      offset === start && header.durable === end;
    if (isNext) return { offset, header };
  }
  return undefined;
}

/**
 * Returns the payload of a record that is all in the window; undefined if its checksum is wrong.
 */
function payloadAt(
  { view, at }: Window,
  offset: number,
  { length, sum }: RecordHeader,
  salt: number,
): Uint8Array | undefined {
  const from = view.byteOffset + at(offset) + recordHeaderBytes;
  const payload = new Uint8Array(view.buffer, from, length);
  return crc32(payload, seedOf(salt, offset)) === sum ? payload : undefined;
}

/**
 * Says what follows the good records of the last segment: `nothing` (the end, or reserved zeros),
 * `torn` (a write that a power cut left unfinished, and that was never acknowledged), or `damage`.
 *
 * It is damage if a later write states that records behind `end` were on the medium before it: then
 * the records at `end` were acknowledged. Without a salt records cannot be told from other bytes,
 * so the result is never `damage`.
 */
export async function judgeEnd(
  { file, salt, limit }: Omit<Source, "salt"> & { readonly salt: number | undefined },
  end: number,
): Promise<"nothing" | "torn" | "damage"> {
  const window = createWindow(file, limit);
  let found: "nothing" | "torn" = "nothing";
  for (let base = writeAfter(end + 1) - sectorBytes; base < limit; base += windowBytes) {
    await window.load(base, Math.min(windowBytes, limit - base));
    const { view } = window;
    if (found === "nothing" && !isZero(view, Math.max(0, end - base))) found = "torn";
    if (salt !== undefined && provesDamage(view, base, end, salt)) return "damage";
  }
  return found;
}

function isZero({ buffer, byteLength }: DataView, from: number): boolean {
  const bytes = new Uint8Array(buffer, 0, byteLength);
  for (let at = from; at < byteLength; at++) if (bytes[at] !== 0) return false;
  return true;
}

/**
 * Says whether a write begins in `view`, which is at `base` in the file, that states that records
 * behind `end` were on the medium before it. At most one checksum over 12 bytes is computed for
 * each sector, whatever its content.
 */
export function provesDamage(view: DataView, base: number, end: number, salt: number): boolean {
  for (let at = 0; at + recordHeaderBytes <= view.byteLength; at += sectorBytes) {
    const durable = view.getUint32(at + 8);
    if (durable <= end || durable > base + at) continue;
    if (recordHeaderAt(view, at, seedOf(salt, base + at)) !== undefined) return true;
  }
  return false;
}
