/**
 * Reading a log back: its records in order, and what is wrong with it. Nothing is changed.
 *
 * @module
 */
import type { Aside, Damage, Place, Recovery } from "./contract.ts";
import { closing, type FileSystem } from "./file-system.ts";
import { nameAside, type Survey, survey, type SurveyedFile } from "./folder.ts";
import {
  type FileIdentity,
  fileName,
  type Form,
  newForm,
  recordsFrom,
  sectorBytes,
} from "./format.ts";
import { findRecord, formByRecords, readAround } from "./salvage.ts";
import { firstRecordOf, judgeTail, type Progress, scan, type Source, type Visit } from "./scan.ts";
import { describeFault, isUnreadable } from "./storage-error.ts";

/** One file of the log. */
export interface LogFile extends FileIdentity, Form {
  readonly name: string;
  /** Where its good records end, which is the space it takes; that of the last segment grows. */
  bytes: number;
}

/** One file of the log as it was read. */
export interface RecoveredFile extends LogFile {
  /** Its length in bytes. What stands behind its records means nothing. */
  readonly size: number;
}

/** A folder after reading. */
export interface Recovered {
  readonly recovery: Recovery;
  /** The files in use, in order. */
  readonly files: readonly RecoveredFile[];
  /** Names of files of the log to remove, in this order. */
  readonly stale: readonly string[];
  /** Names of files that were being written when power failed, which are to be removed too. */
  readonly unfinished: readonly string[];
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
  const { found, unfinished, names } = await survey(files, folder);
  const base = await chooseBase(found, reading);
  const inUse = found.filter((one) =>
    one === base || one.kind === "segment" && one.sequence >= (base?.sequence ?? 1)
  );
  const unborn = await findUnborn(inUse, reading);
  const used = inUse.filter((one) => one !== unborn?.file);
  const { recovery, files: read } = await readFiles(used, reading);
  // Newest first, and a checkpoint behind the segments that follow it: a power cut among the
  // removals leaves no part of an older log that looks whole.
  const stale = found.filter((one) => !used.includes(one)).map(({ name }) => name).reverse();
  if (unborn?.isEmpty === false) stale.splice(stale.indexOf(unborn.file.name), 1);
  return {
    recovery: { ...recovery, ...tellUnborn(recovery, unborn, names) },
    files: read,
    stale,
    unfinished,
  };
}

/** What is told of a segment that was never finished, where the log is else well. */
function tellUnborn(
  { damage, cut }: Recovery,
  unborn: Unborn | undefined,
  names: readonly string[],
): { readonly aside?: Aside } | Fault {
  if (unborn === undefined || damage !== undefined) return {};
  const { name, size } = unborn.file;
  if (!unborn.isEmpty) {
    return { aside: { file: name, keptAs: nameAside(names, name), bytes: size } };
  }
  return cut === undefined && size > 0 ? { cut: { ...placeIn(unborn.file, 0), bytes: size } } : {};
}

/**
 * Answers the checkpoint that the log begins with: the newest. Where power failed before the files
 * were removed that it stands for, they are all there, and stand for it if it is damaged, or if the
 * segment that is to follow it was not made yet. The checkpoint among them may have been written
 * over, as it became the spare meanwhile.
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
  if (!isThere) return newest;
  const next = found.find(({ kind, sequence }) =>
    kind === "segment" && sequence === newest.sequence
  );
  // One that was begun and given up, in which nothing stands, may have its name again after a power
  // cut, and so may the checkpoint.
  const isFollowed = next !== undefined && (await judgeHeadless(next, reading))?.tail !== "nothing";
  if (isFollowed && await isWhole(newest, reading)) return newest;
  return older === undefined || await isWhole(older, reading) ? older : newest;
}

function isCheckpoint({ kind }: SurveyedFile): boolean {
  return kind === "checkpoint";
}

async function isWhole(one: SurveyedFile, reading: Reading): Promise<boolean> {
  const read = await readFile(one, one.header?.end, { ...reading, skip: undefined }, () => {});
  return read.fault === undefined;
}

/** A last segment that nothing proves to have held a record that was acknowledged. */
interface Unborn {
  readonly file: SurveyedFile;
  /** Whether only zeros stand where records do, so that it certainly never did. */
  readonly isEmpty: boolean;
}

/** Answers the last segment where it is as if power had failed in its first write. */
async function findUnborn(
  used: readonly SurveyedFile[],
  reading: Reading,
): Promise<Unborn | undefined> {
  // A checkpoint is only begun once the segment that follows it is made, so that one was born.
  const born = used[0]?.kind === "checkpoint" ? 2 : 0;
  const last = used.at(-1);
  if (last === undefined || used.length <= born) return undefined;
  const judged = await judgeHeadless(last, reading);
  // Version 1 made its header durable before any record, so that a record was stored.
  if (judged === undefined || judged.version === 1) return undefined;
  const { tail } = judged;
  const isEmpty = tail === "nothing";
  // The header of the first segment is durable before anything is written behind it. And only a
  // segment that is closed, when all of it is on the medium, has such a length.
  const wasBorn = !isEmpty && (last.sequence === 1 || last.size % sectorBytes === 1);
  return tail === "damage" || wasBorn ? undefined : { file: last, isEmpty };
}

/**
 * Answers what stands where records do in a file that has no valid header, and which version wrote
 * it; undefined for any other, and for one that cannot be read.
 */
async function judgeHeadless(
  { name, size, header, unreadable }: SurveyedFile,
  { files, folder }: Reading,
) {
  if (header !== undefined || unreadable !== undefined) return undefined;
  try {
    return await closing(files.openToRead(`${folder}/${name}`), async (file) => {
      // Without a first record, no salt is right: then what stands there proves nothing.
      const form = await formByRecords(file, size) ?? newForm();
      const tail = await judgeTail({ file, form, limit: size }, recordsFrom);
      return { version: form.version, tail };
    });
  } catch (fault) {
    if (!isUnreadable(fault)) throw fault;
    return undefined;
  }
}

async function readFiles(
  used: readonly SurveyedFile[],
  reading: Reading,
): Promise<Pick<Recovered, "recovery" | "files">> {
  const { visit, skip } = reading;
  const missing = findMissing(used);
  const present = used.filter(({ kind, sequence }) =>
    kind === "checkpoint" || skip !== undefined || missing === undefined || sequence < missing
  );
  const files: RecoveredFile[] = [];
  let records = 0;
  let bytes = 0;
  let fault: Fault | undefined;
  for (const [index, one] of present.entries()) {
    const { name, kind, sequence, size } = one;
    const { version = 0, salt = 0 } = one.header ?? {};
    // Nothing says where the records of the last segment must end.
    const limit = (kind === "checkpoint" ? one : present[index + 1])?.header?.end;
    const read = await readFile(one, limit, reading, (payload, offset) => {
      records += 1;
      bytes += payload.length;
      return visit(payload, placeIn(one, offset));
    });
    files.push({ name, kind, sequence, version, salt, bytes: read.end, size });
    fault = fault?.damage === undefined ? read.fault : fault;
    if (fault?.damage !== undefined && skip === undefined) break;
  }
  if (missing !== undefined && fault?.damage === undefined) {
    const file = fileName({ kind: "segment", sequence: missing });
    const damage = { file, segment: missing, offset: 0, reason: "the file is missing" };
    skip?.({ ...damage, bytes: 0 });
    fault = { damage };
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
  let first: Damage | undefined;
  const skipped = (damage: Damage, bytes: number) => {
    first ??= damage;
    skip?.({ ...damage, bytes });
  };
  const ended = (end: number) => ({ end, fault: first === undefined ? {} : { damage: first } });
  if (one.unreadable !== undefined || header === undefined && skip === undefined) {
    skipped({ ...placeIn(one, 0), reason: one.unreadable ?? lostHeader }, size);
    return Promise.resolve(ended(0));
  }
  return closing(files.openToRead(`${folder}/${one.name}`), async (file) => {
    const form = header ?? await formByRecords(readAround(file), size);
    const from = form === undefined ? 0 : firstRecordOf(form);
    if (header === undefined) {
      skipped({ ...placeIn(one, 0), reason: lostHeader }, form === undefined ? size : from);
    }
    if (form === undefined) return ended(0);
    const source = { file, form, limit: Math.min(limit ?? size, size) };
    const progress = { end: from, durable: from };
    while (true) {
      const stop = await readStretch(source, progress, one, limit, visit);
      if (stop?.damage === undefined) {
        return first === undefined ? { end: progress.end, fault: stop } : ended(progress.end);
      }
      const { end } = progress;
      const around = { ...source, file: readAround(file) };
      const next = skip === undefined ? undefined : await findRecord(around, end);
      skipped(stop.damage, (next?.end ?? limit ?? size) - end);
      if (next === undefined) return ended(end);
      Object.assign(progress, next);
    }
  });
}

const lostHeader = "the header is not valid";

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
