/**
 * Reading a log back: its records in order, and what is wrong with it. Nothing is changed.
 *
 * @module
 */
import type { Damage, Place, Quarantined, Recovery } from "./contract.ts";
import { closing, type FileSystem } from "./file-system.ts";
import { quarantineName, type Survey, survey, type SurveyedFile } from "./folder.ts";
import { closedBytes, fileName, followedBytes, markOf, recordsFrom, writeAfter } from "./format.ts";
import type { LogFile } from "./log-medium.ts";
import { findRecord, readAround, saltByRecords } from "./salvage.ts";
import { judgeEnd, type Progress, scan, type Source, type Visit } from "./scan.ts";
import { reserveName } from "./reserve.ts";
import { describeFault, isUnreadable } from "./storage-error.ts";

/** One file of the log as it was read. */
export interface RecoveredFile extends LogFile {
  /** Its length in bytes. What stands behind its records means nothing. */
  readonly size: number;
}

/** A folder after reading. */
export interface Recovered {
  readonly recovery: Recovery;
  /** The number of the log; undefined where no file says one. */
  readonly log: string | undefined;
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
 * whose sums are right. A folder without a segment is an empty log, unless it has a reserve. Rejects
 * when another version wrote it.
 */
export async function recover(
  files: FileSystem,
  folder: string,
  visit: VisitRecord,
  skip?: (gap: Gap) => void,
): Promise<Recovered> {
  const reading = { files, folder, visit, skip };
  const { found, unfinished, names } = await survey(files, folder);
  const log = logOf(found);
  const own = found.filter(({ header }) => header === undefined || header.log === log);
  const base = await chooseBase(own, reading);
  const inUse = own.filter((one) =>
    one === base || one.kind === "segment" && one.sequence >= (base?.sequence ?? 1)
  );
  const uncommitted = await findUncommitted(inUse, reading);
  const used = inUse.filter((one) => one !== uncommitted?.file);
  const strange = found.filter((one) => !own.includes(one));
  const wasBegun = names.includes(reserveName);
  const { recovery, files: read } = await readFiles(used, { strange, wasBegun }, reading);
  // Newest first, and a checkpoint behind the segments that follow it: a power cut among the
  // removals leaves no part of an older log that looks whole.
  const stale = own.filter((one) => !used.includes(one)).map(({ name }) => name).reverse();
  if (uncommitted?.isEmpty === false) stale.splice(stale.indexOf(uncommitted.file.name), 1);
  return {
    recovery: { ...recovery, ...tellUncommitted(recovery, uncommitted, names) },
    log,
    files: read,
    stale,
    unfinished,
  };
}

/** Answers the number of the log that most of the files are of. */
function logOf(found: Survey["found"]): string | undefined {
  const logs = found.flatMap(({ header }) => header === undefined ? [] : [header.log]);
  const count = (log: string) => logs.filter((other) => other === log).length;
  return logs.toSorted((one, other) => count(other) - count(one))[0];
}

/** What is told of a segment that was never finished, where the log is else well. */
function tellUncommitted(
  { damage, cut }: Recovery,
  uncommitted: Uncommitted | undefined,
  names: readonly string[],
): { readonly quarantined?: Quarantined } | Fault {
  if (uncommitted === undefined || damage !== undefined) return {};
  const { name, size } = uncommitted.file;
  if (!uncommitted.isEmpty) {
    return { quarantined: { file: name, keptAs: quarantineName(names, name), bytes: size } };
  }
  return cut === undefined && size > 0
    ? { cut: { ...placeIn(uncommitted.file, 0), bytes: size } }
    : {};
}

/**
 * Answers the checkpoint that the log begins with: the newest. Where power failed before the files
 * were removed that it stands for, they are all there, and stand for it if it is damaged, or if the
 * segment that is to follow it was not made yet. The checkpoint among them may have been written
 * over, as it became the reserve meanwhile.
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
  const isFollowed = next !== undefined && await judgeHeadless(next, reading) !== "nothing";
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
interface Uncommitted {
  readonly file: SurveyedFile;
  /** Whether only zeros stand where records do, so that it certainly never did. */
  readonly isEmpty: boolean;
}

/** Answers the last segment where it is as if power had failed in its first write. */
async function findUncommitted(
  used: readonly SurveyedFile[],
  reading: Reading,
): Promise<Uncommitted | undefined> {
  // A checkpoint is only begun once the segment that follows it is made, so that one was born.
  const born = used[0]?.kind === "checkpoint" ? 2 : 0;
  const last = used.at(-1);
  if (last === undefined || used.length <= born) return undefined;
  const before = used.at(-2);
  if (before !== undefined && isFollowed(before)) return undefined;
  const end = await judgeHeadless(last, reading);
  if (end === undefined) return undefined;
  const isEmpty = end === "nothing";
  // The header of the first segment is durable before anything is written behind it, and one that
  // was closed is on the medium as a whole.
  const wasCommitted = !isEmpty && (last.sequence === 1 || markOf(last.size) === closedBytes);
  return end === "damage" || wasCommitted ? undefined : { file: last, isEmpty };
}

/** Says whether the length of a segment says that the one that follows it was on the medium. */
function isFollowed({ kind, size }: SurveyedFile): boolean {
  return kind === "segment" && markOf(size) === followedBytes;
}

/**
 * Answers what stands where records do in a file that has no valid header; undefined for any other,
 * and for one that cannot be read.
 */
async function judgeHeadless(
  { name, size, header, unreadable }: SurveyedFile,
  { files, folder }: Reading,
) {
  if (header !== undefined || unreadable !== undefined) return undefined;
  try {
    return await closing(files.openToRead(`${folder}/${name}`), async (file) => {
      const salt = await saltByRecords(file, size);
      return await judgeEnd({ file, salt, limit: size }, recordsFrom);
    });
  } catch (fault) {
    if (!isUnreadable(fault)) throw fault;
    return undefined;
  }
}

/**
 * Reads the files in use, in order, and tells of the first damage: what is missing, or of another
 * log, or does not follow the file before it, is damage too.
 */
async function readFiles(
  used: readonly SurveyedFile[],
  { strange, wasBegun }: {
    readonly strange: readonly SurveyedFile[];
    /** Whether there certainly was a first segment. */
    readonly wasBegun: boolean;
  },
  reading: Reading,
): Promise<Pick<Recovered, "recovery" | "files">> {
  const { visit, skip } = reading;
  const files: RecoveredFile[] = [];
  let records = 0;
  let bytes = 0;
  let fault: Fault = {};
  const mayGoOn = () => fault.damage === undefined || skip !== undefined;
  const tell = (gap: Gap) => {
    const { bytes: _, ...damage } = gap;
    if (fault.damage === undefined) fault = { damage };
    skip?.(gap);
  };
  const untold = new Set(strange);
  const tellStrange = (one: SurveyedFile) => {
    untold.delete(one);
    tell({ ...placeIn(one, 0), reason: "it is of another log", bytes: one.size });
  };
  const lack = (sequence: number) => {
    const file = fileName({ kind: "segment", sequence });
    const other = strange.find(({ name }) => name === file);
    if (other !== undefined) return tellStrange(other);
    tell({ file, segment: sequence, offset: 0, reason: "the file is missing", bytes: 0 });
  };
  const first = used[0]?.sequence ?? 1;
  let wanted = used[0]?.kind === "checkpoint" ? first : 1;
  for (const [index, one] of used.entries()) {
    const { name, kind, sequence, size, header } = one;
    const before = used[index - 1];
    if (kind === "segment") {
      if (sequence !== wanted) lack(wanted);
      wanted = sequence + 1;
      if (before !== undefined && !follows(one, before)) {
        tell({ ...placeIn(one, 0), reason: `it does not follow ${before.name}`, bytes: 0 });
      }
    }
    if (!mayGoOn()) break;
    const next = used[index + 1];
    const ending = kind === "checkpoint" ? one : next;
    const isKnown = ending !== undefined && (ending === one || proves(ending, one));
    const limit = isKnown ? ending.header?.end : undefined;
    const read = await readFile(one, limit, reading, (payload, offset) => {
      records += 1;
      bytes += payload.length;
      return visit(payload, placeIn(one, offset));
    });
    const { log = "", salt = 0, previous = 0 } = header ?? {};
    files.push({ name, kind, sequence, log, salt, previous, bytes: read.end, size });
    if (fault.damage === undefined) fault = read.fault ?? {};
    if (!mayGoOn()) break;
  }
  const last = used.at(-1);
  const isCut = last === undefined ? wasBegun : last.kind === "checkpoint" || isFollowed(last);
  if (mayGoOn() && isCut) lack(wanted);
  if (mayGoOn()) untold.forEach(tellStrange);
  return { recovery: { records, bytes, ...fault }, files };
}

/** Says whether a segment may come behind a file: nothing that both headers say is against it. */
function follows(one: SurveyedFile, before: SurveyedFile): boolean {
  return one.header === undefined || before.header === undefined || proves(one, before) ||
    before.kind === "segment" && before.sequence + 1 !== one.sequence;
}

/** Says whether the header of a segment says that it comes behind a file. */
function proves({ header, sequence }: SurveyedFile, before: SurveyedFile): boolean {
  if (header === undefined) return false;
  // A checkpoint stands for the same segments as those that are before the one that follows it.
  if (before.kind === "checkpoint") return header.previous === before.header?.previous;
  if (before.sequence + 1 !== sequence) return false;
  return before.header === undefined || header.previous === before.header.salt;
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
    const salt = header?.salt ?? await saltByRecords(readAround(file), size);
    if (header === undefined) {
      skipped({ ...placeIn(one, 0), reason: lostHeader }, salt === undefined ? size : recordsFrom);
    }
    if (salt === undefined) return ended(0);
    const source = { file, salt, limit: Math.min(limit ?? finishedEnd(one) ?? size, size) };
    const progress = { end: recordsFrom, durable: recordsFrom };
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

/** Answers where the last sector of a segment ends that its length says was finished. */
function finishedEnd({ kind, size }: SurveyedFile): number | undefined {
  const mark = kind === "segment" ? markOf(size) : undefined;
  return mark === undefined ? undefined : size - mark;
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
    const end = limit === undefined ? await judgeEnd(source, progress.end) : "damage";
    const finished = finishedEnd(one);
    const isLacking = finished !== undefined && writeAfter(progress.end) !== finished;
    if (end === "nothing" && !isLacking) return undefined;
    // Of a segment that was finished all was on the medium.
    if (end !== "damage" && finished === undefined) {
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
