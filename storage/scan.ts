/**
 * Reading the records of one file, and telling a torn tail from damage.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import type { OpenFile } from "./file-system.ts";
import {
  claimedBytes1,
  decodeRecord1,
  judgeTail1,
  recordHeaderBytes1,
  recordsFrom1,
} from "./format-1.ts";
import {
  type Form,
  type RecordHeader,
  recordHeaderAt,
  recordHeaderBytes,
  recordsFrom,
  sectorBytes,
  seedOf,
  writeAfter,
} from "./format.ts";
import { createWindow, type Window, windowBytes } from "./window.ts";

/** Takes one record: its payload, which is good until the next, and where it begins. */
export type Visit = (payload: Uint8Array, offset: number) => void | Promise<void>;

/** A file to read records from. */
export interface Source {
  readonly file: Pick<OpenFile, "read">;
  readonly form: Form;
  /** Where its records end at the latest, in bytes. */
  readonly limit: number;
}

/** Answers where the records of a file begin, in bytes. */
export function firstRecordOf({ version }: Form): number {
  return version === 1 ? recordsFrom1 : recordsFrom;
}

/** How far reading has come. */
export interface Progress {
  /** The offset of the first byte that is no part of a good record. */
  end: number;
  /** Where the records end that were on the medium before the write of the last one began. */
  durable: number;
}

/**
 * Visits records from where `progress` is, up to the limit or the first that is not whole and
 * right, and keeps in `progress` how far it came, also where it rejects as the file cannot be read.
 */
export async function scan(source: Source, progress: Progress, visit: Visit): Promise<void> {
  const window = createWindow(source.file, source.limit);
  if (source.form.version === 1) return await scan1(source.limit, window, progress, visit);
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
    const payload = payloadAt(window, offset, header, source.form);
    if (payload === undefined) return;
    const taking = visit(payload, offset);
    if (taking !== undefined) await taking;
    progress.end = offset + bytes;
    progress.durable = header.durable;
  }
}

/** The next record stands right behind the last, of the same write, or begins the next write. */
function nextHeader(
  { view, at, holds }: Window,
  { form: { salt }, limit }: Source,
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

/** Answers the payload of a record that is all in the window; undefined where its sum is wrong. */
function payloadAt(
  { view, at }: Window,
  offset: number,
  { length, sum }: RecordHeader,
  { salt }: Form,
): Uint8Array | undefined {
  const from = view.byteOffset + at(offset) + recordHeaderBytes;
  const payload = new Uint8Array(view.buffer, from, length);
  return crc32(payload, seedOf(salt, offset)) === sum ? payload : undefined;
}

async function scan1(
  limit: number,
  window: Window,
  progress: Progress,
  visit: Visit,
): Promise<void> {
  const inReach = async (place: number, bytes: number) =>
    window.holds(place, bytes) || await window.load(place, bytes);
  while (limit - progress.end > recordHeaderBytes1) {
    const { end } = progress;
    if (!await inReach(end, recordHeaderBytes1)) return;
    const claimed = claimedBytes1(window.view, window.at(end));
    if (claimed > limit - end || !await inReach(end, claimed)) return;
    const payload = decodeRecord1(window.view, window.at(end));
    if (payload === undefined) return;
    const taking = visit(payload, end);
    if (taking !== undefined) await taking;
    progress.end = end + claimed;
  }
}

/**
 * Says what follows the good records of the last segment: `nothing` (the end, or reserved zeros),
 * `torn` (a write that power cut off: nobody was told that it succeeded), or `damage`.
 *
 * It is damage when a write further on says that records behind `end` were on the medium before it:
 * then what stood at `end` was acknowledged.
 */
export async function judgeTail(
  { file, form, limit }: Source,
  end: number,
): Promise<"nothing" | "torn" | "damage"> {
  const window = createWindow(file, limit);
  if (form.version === 1) {
    await window.load(end, limit - end);
    const { buffer, byteOffset, byteLength } = window.view;
    return judgeTail1(new Uint8Array(buffer, byteOffset, byteLength), end);
  }
  let found: "nothing" | "torn" = "nothing";
  for (let base = writeAfter(end + 1) - sectorBytes; base < limit; base += windowBytes) {
    await window.load(base, Math.min(windowBytes, limit - base));
    const { view } = window;
    if (found === "nothing" && !isZero(view, Math.max(0, end - base))) found = "torn";
    if (provesDamage(view, base, end, form)) return "damage";
  }
  return found;
}

function isZero({ buffer, byteLength }: DataView, from: number): boolean {
  const bytes = new Uint8Array(buffer, 0, byteLength);
  for (let at = from; at < byteLength; at++) if (bytes[at] !== 0) return false;
  return true;
}

/**
 * Says whether a write begins in `view`, which stands at `base` in the file, before which records
 * behind `end` were on the medium. One sum over 12 bytes for each sector is taken at most, whatever
 * stands there.
 */
export function provesDamage(view: DataView, base: number, end: number, { salt }: Form): boolean {
  for (let at = 0; at + recordHeaderBytes <= view.byteLength; at += sectorBytes) {
    const durable = view.getUint32(at + 8);
    if (durable <= end || durable > base + at) continue;
    if (recordHeaderAt(view, at, seedOf(salt, base + at)) !== undefined) return true;
  }
  return false;
}
