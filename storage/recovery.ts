/**
 * Reading a log back: its records in order, and what is wrong with it. Nothing is changed.
 *
 * @module
 */
import type { Damage, Place, Recovery } from "./contract.ts";
import { closing, type FileSystem } from "./file-system.ts";
import { type Survey, survey, type SurveyedFile } from "./folder.ts";
import { recordsFrom1 } from "./format-1.ts";
import { type FileIdentity, fileName, type Form } from "./format.ts";
import { findRecord, readAround } from "./salvage.ts";
import { firstRecordOf, judgeTail, type Progress, scan, type Source, type Visit } from "./scan.ts";
import { describeFault, isUnreadable } from "./storage-error.ts";

/** One file of the log. */
export interface LogFile extends FileIdentity, Form {
  readonly name: string;
  /** Where its good records end, which is the space it takes; that of the last segment grows. */
  bytes: number;
}

/** A folder after reading. */
export interface Recovered {
  readonly recovery: Recovery;
  /** The files in use, in order. */
  readonly files: readonly LogFile[];
  /** Names of files to remove, in this order. */
  readonly stale: readonly string[];
}

/** Takes one record and where it is; the payload is good until the next record. */
export type VisitRecord = (payload: Uint8Array, place: Place) => void | Promise<void>;

/** A part of the log that was passed over, as what stands there is not what was stored. */
export interface Gap extends Damage {
  /** How much was passed over; 0 for a file that is missing. */
  readonly bytes: number;
}

type Fault = Pick<Recovery, "cut" | "damage">;

/** What is read of a log, and what is told of it. */
interface Reading {
  readonly files: FileSystem;
  readonly folder: string;
  readonly visit: VisitRecord;
  readonly skip: ((gap: Gap) => void) | undefined;
}

/**
 * Reads the log in `folder` and gives every good record to `visit`, in order, up to the first
 * damage. With `skip`, which is told of it, it goes on behind each damage with the next record
 * whose sums are right. An empty folder is an empty log. Rejects when a newer version wrote it.
 */
export async function recover(
  files: FileSystem,
  folder: string,
  visit: VisitRecord,
  skip?: (gap: Gap) => void,
): Promise<Recovered> {
  const reading = { files, folder, visit, skip };
  const { found, unfinished } = await survey(files, folder);
  const base = await chooseBase(found, reading);
  const inUse = found.filter((one) =>
    one === base || one.kind === "segment" && one.sequence >= (base?.sequence ?? 1)
  );
  const unborn = await findUnborn(inUse, reading);
  const used = inUse.filter((one) => one !== unborn);
  const read = await readFiles(used, unborn, reading);
  // Newest first, and a checkpoint behind the segments that follow it: a power cut among the
  // removals leaves no part of an older log that looks whole.
  const stale = found.filter((one) => !used.includes(one)).map(({ name }) => name).reverse();
  return { ...read, stale: [...unfinished, ...stale] };
}

/**
 * Answers the checkpoint that the log begins with: the newest. Where power failed before the files
 * were removed that it stands for, they are all there, and stand for it if it is damaged. The
 * checkpoint among them may have been written over, as it became the spare meanwhile.
 */
async function chooseBase(
  found: Survey["found"],
  reading: Reading,
): Promise<SurveyedFile | undefined> {
  const [older, newest] = [undefined, undefined, ...found.filter(isCheckpoint)].slice(-2);
  if (newest === undefined) return undefined;
  const first = older?.sequence ?? 1;
  const replaced = found.filter(({ kind, sequence }) =>
    kind === "segment" && sequence >= first && sequence < newest.sequence
  );
  const isThere = newest.sequence > first && replaced.length === newest.sequence - first;
  if (!isThere || await isWhole(newest, reading)) return newest;
  return older === undefined || await isWhole(older, reading) ? older : newest;
}

function isCheckpoint({ kind }: SurveyedFile): boolean {
  return kind === "checkpoint";
}

async function isWhole(one: SurveyedFile, reading: Reading): Promise<boolean> {
  const read = await readFile(one, one.header?.end, { ...reading, skip: undefined }, () => {});
  return read.fault === undefined;
}

/** Answers the last segment when power failed while it was made: it never held a record. */
async function findUnborn(
  used: readonly SurveyedFile[],
  { files, folder }: Reading,
): Promise<SurveyedFile | undefined> {
  // A checkpoint is only begun once the segment that follows it is made, so that one was born.
  const born = used[0]?.kind === "checkpoint" ? 2 : 0;
  const last = used.at(-1);
  if (last === undefined || used.length <= born) return undefined;
  if (last.header !== undefined || last.unreadable !== undefined) return undefined;
  // Version 1 made its one header durable before any record; a record behind it is one that was
  // stored.
  const progress = { end: recordsFrom1, durable: 0 };
  await closing(files.openToRead(`${folder}/${last.name}`), (file) => {
    return scan({ file, form: { version: 1, salt: 0 }, limit: last.size }, progress, () => {});
  });
  return progress.end === recordsFrom1 ? last : undefined;
}

async function readFiles(
  used: readonly SurveyedFile[],
  unborn: SurveyedFile | undefined,
  reading: Reading,
): Promise<Omit<Recovered, "stale">> {
  const { visit, skip } = reading;
  const missing = findMissing(used);
  const present = used.filter(({ kind, sequence }) =>
    kind === "checkpoint" || skip !== undefined || missing === undefined || sequence < missing
  );
  const files: LogFile[] = [];
  let records = 0;
  let bytes = 0;
  let fault: Fault | undefined;
  for (const [index, one] of present.entries()) {
    const { name, kind, sequence } = one;
    const { version = 0, salt = 0 } = one.header ?? {};
    // Nothing says where the records of the last segment must end.
    const limit = (kind === "checkpoint" ? one : present[index + 1])?.header?.end;
    const read = await readFile(one, limit, reading, (payload, offset) => {
      records += 1;
      bytes += payload.length;
      return visit(payload, placeIn(one, offset));
    });
    files.push({ name, kind, sequence, version, salt, bytes: read.end });
    fault = fault?.damage === undefined ? read.fault : fault;
    if (fault?.damage !== undefined && skip === undefined) break;
  }
  if (missing !== undefined && fault?.damage === undefined) {
    const file = fileName({ kind: "segment", sequence: missing });
    const damage = { file, segment: missing, offset: 0, reason: "the file is missing" };
    skip?.({ ...damage, bytes: 0 });
    fault = { damage };
  }
  if (fault === undefined && unborn !== undefined && unborn.size > 0) {
    fault = { cut: { ...placeIn(unborn, 0), bytes: unborn.size } };
  }
  return { recovery: { records, bytes, ...fault }, files };
}

/**
 * Answers the first number that no segment has although a later file or a checkpoint proves that
 * one had.
 */
function findMissing(used: readonly SurveyedFile[]): number | undefined {
  const first = used[0]?.kind === "checkpoint" ? used[0].sequence : 1;
  const numbers = used.filter(({ kind }) => kind === "segment").map(({ sequence }) => sequence);
  const gap = numbers.findIndex((sequence, index) => sequence !== first + index);
  if (gap >= 0) return first + gap;
  return used.length > 0 && numbers.length === 0 ? first : undefined;
}

/** Reads the records of one file, which end at `limit` where that is known. */
function readFile(
  one: SurveyedFile,
  limit: number | undefined,
  { files, folder, skip }: Reading,
  visit: Visit,
): Promise<{ end: number; fault?: Fault | undefined }> {
  const { header, size } = one;
  if (header === undefined) {
    const damage = { ...placeIn(one, 0), reason: one.unreadable ?? "the header is not valid" };
    skip?.({ ...damage, bytes: size });
    return Promise.resolve({ end: 0, fault: { damage } });
  }
  return closing(files.openToRead(`${folder}/${one.name}`), async (file) => {
    const source = {
      file: skip === undefined ? file : readAround(file),
      form: header,
      limit: Math.min(limit ?? size, size),
    };
    const from = firstRecordOf(header);
    const progress = { end: from, durable: from };
    let first: Damage | undefined;
    while (true) {
      const stop = await readStretch(source, progress, one, limit, visit);
      if (stop?.damage === undefined) {
        return { end: progress.end, fault: first === undefined ? stop : { damage: first } };
      }
      first ??= stop.damage;
      const from = progress.end;
      const next = skip === undefined ? undefined : await findRecord(source, from);
      skip?.({ ...stop.damage, bytes: (next?.end ?? limit ?? size) - from });
      if (next === undefined) return { end: from, fault: { damage: first } };
      Object.assign(progress, next);
    }
  });
}

/** Reads on to where records stop; answers what is wrong there, if something is. */
async function readStretch(
  source: Source,
  progress: Progress,
  one: SurveyedFile,
  limit: number | undefined,
  visit: Visit,
): Promise<Fault | undefined> {
  let reason = "what is here is not the record that was stored";
  try {
    await scan(source, progress, visit);
    if (progress.end === limit) return undefined;
    const tail = limit === undefined ? await judgeTail(source, progress.end) : "damage";
    if (tail === "nothing") return undefined;
    if (tail === "torn") {
      return { cut: { ...placeIn(one, progress.end), bytes: one.size - progress.end } };
    }
  } catch (fault) {
    if (!isUnreadable(fault)) throw fault;
    reason = `it could not be read: ${describeFault(fault)}`;
  }
  return { damage: { ...placeIn(one, progress.end), reason } };
}

function placeIn({ name, sequence }: SurveyedFile, offset: number): Place {
  return { file: name, segment: sequence, offset };
}
