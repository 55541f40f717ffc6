/**
 * Reads one file of a log: its records and its damage.
 *
 * @module
 */
import type { Cut, Damage, Place } from "./contract.ts";
import { closing, type Folder } from "./file-system.ts";
import type { SurveyedFile } from "./folder.ts";
import { markOf, recordsFrom, writeAfter } from "./format.ts";
import { findRecord, readAround, saltByRecords } from "./salvage.ts";
import { judgeEnd, type Progress, scan, type Source, type Visit } from "./scan.ts";
import { describeFault, isUnreadable } from "./storage-error.ts";

/** A part of the log that was skipped, because its bytes are not those that were stored. */
export interface Gap extends Damage {
  /** Number of skipped bytes; 0 for a missing file. */
  readonly bytes: number;
}

/** The options of reading a log. */
export interface Reading extends Folder {
  /** Whether to go on behind damage, with the next record whose checksums are right. */
  readonly skips: boolean;
  /** Called for each damage. */
  readonly tell: (gap: Gap) => void;
}

/** Names a place in a file. */
export function placeIn({ name, sequence }: SurveyedFile, offset: number): Place {
  return { file: name, segment: sequence, offset };
}

/**
 * Reads the records of one file, which end at `limit` if that is known. Resolves with the end of
 * its good records, as an offset in bytes, and with the remains of a write that a power cut left
 * unfinished.
 */
export async function readFile(
  one: SurveyedFile,
  limit: number | undefined,
  { files, folder, skips, tell }: Reading,
  visit: Visit,
): Promise<{ readonly end: number; readonly cut?: Cut }> {
  const { name, header, size, unreadable } = one;
  const tellDamage = (offset: number, reason: string, bytes: number) =>
    tell({ ...placeIn(one, offset), reason, bytes });
  if (unreadable !== undefined || header === undefined && !skips) {
    tellDamage(0, unreadable ?? lostHeader, size);
    return { end: 0 };
  }
  return await closing(files.openToRead(`${folder}/${name}`), async (file) => {
    const salt = header?.salt ?? await saltByRecords(readAround(file), size);
    if (header === undefined) tellDamage(0, lostHeader, salt === undefined ? size : recordsFrom);
    if (salt === undefined) return { end: 0 };
    const finished = finishedEnd(one);
    const source = { file, salt, limit: Math.min(limit ?? finished ?? size, size) };
    const progress = { end: recordsFrom, durable: recordsFrom };
    while (true) {
      const stop = await readStretch(source, progress, { limit, finished }, visit);
      const { end } = progress;
      if (stop === "nothing") return { end };
      if (stop === "torn") return { end, cut: { ...placeIn(one, end), bytes: size - end } };
      const around = { ...source, file: readAround(file) };
      const next = skips ? await findRecord(around, end) : undefined;
      tellDamage(end, stop.reason, (next?.end ?? limit ?? size) - end);
      if (next === undefined) return { end };
      Object.assign(progress, next);
    }
  });
}

const lostHeader = "the header is not valid";

/**
 * Returns the end of the last sector of a finished segment; undefined if its length does not mark
 * it as finished.
 */
function finishedEnd({ kind, size }: SurveyedFile): number | undefined {
  const mark = kind === "segment" ? markOf(size) : undefined;
  return mark === undefined ? undefined : size - mark;
}

/** Reads on until records stop; returns what follows them, or why that is damage. */
async function readStretch(
  source: Source,
  progress: Progress,
  { limit, finished }: {
    readonly limit: number | undefined;
    readonly finished: number | undefined;
  },
  visit: Visit,
): Promise<"nothing" | "torn" | { readonly reason: string }> {
  try {
    await scan(source, progress, visit);
    if (progress.end === limit) return "nothing";
    const rest = limit === undefined ? await judgeEnd(source, progress.end) : "damage";
    // A finished segment was completely on the medium.
    const isWhole = finished === undefined ||
      rest === "nothing" && writeAfter(progress.end) === finished;
    if (isWhole && rest !== "damage") return rest;
    return { reason: "the bytes here are not the record that was stored" };
  } catch (fault) {
    if (!isUnreadable(fault)) throw fault;
    return { reason: `it could not be read: ${describeFault(fault)}` };
  }
}
