/**
 * Reads a log back: its records in order, and its damage. Nothing is changed.
 *
 * @module
 */
import type { Cut, Damage, Place, Recovery } from "./contract.ts";
import type { Folder } from "./file-system.ts";
import { type FilesInUse, findFilesInUse, isFollowed, type Uncommitted } from "./files-in-use.ts";
import { quarantineName, type Survey, survey, type SurveyedFile } from "./folder.ts";
import { fileName } from "./format.ts";
import type { LogFile } from "./log-medium.ts";
import { type Gap, placeIn, readFile } from "./read-file.ts";
import { reserveName } from "./reserve.ts";

/** One file of the log as it was read. */
export interface RecoveredFile extends LogFile {
  /** Its length in bytes. Bytes behind its records have no meaning. */
  readonly size: number;
}

/** A folder after reading. */
export interface Recovered extends Pick<FilesInUse, "log" | "stale">, Pick<Survey, "unfinished"> {
  readonly recovery: Recovery;
  /** The files in use, in order. */
  readonly files: readonly RecoveredFile[];
}

/** Takes one record and its place; the payload is valid until the next record. */
export type VisitRecord = (payload: Uint8Array, place: Place) => void | Promise<void>;

/**
 * Reads the log in `folder` and gives every good record to `visit`, in order, up to the first
 * damage. With `skip`, which is called for each damage, it goes on behind the damage with the next
 * record whose checksums are right. A folder without a segment is an empty log, unless it has a
 * reserve. Rejects when another version wrote it.
 */
export async function recover(
  folder: Folder,
  visit: VisitRecord,
  skip?: (gap: Gap) => void,
): Promise<Recovered> {
  const { found, unfinished, names } = await survey(folder);
  const inUse = await findFilesInUse(found, folder);
  const { log, stale, uncommitted } = inUse;
  const wasBegun = names.includes(reserveName);
  const read = await readFiles({ ...inUse, wasBegun }, folder, visit, skip);
  const { recovery } = read;
  return {
    recovery: { ...recovery, ...tellUncommitted(recovery, uncommitted, names) },
    log,
    files: read.files,
    stale,
    unfinished,
  };
}

/** The finding about a segment that was never finished, in a log without other faults. */
function tellUncommitted(
  { damage, cut }: Recovery,
  uncommitted: Uncommitted | undefined,
  names: readonly string[],
): Pick<Recovery, "cut" | "quarantined"> {
  if (uncommitted === undefined || damage !== undefined) return {};
  const { file, isEmpty } = uncommitted;
  const { name, size } = file;
  if (!isEmpty) {
    return { quarantined: { file: name, keptAs: quarantineName(names, name), bytes: size } };
  }
  return cut === undefined && size > 0 ? { cut: { ...placeIn(file, 0), bytes: size } } : {};
}

/**
 * Reads the files in use, in order, and reports the first damage. A file that is missing, belongs
 * to another log, or does not follow the file before it is damage, too.
 */
async function readFiles(
  { used, strange, wasBegun }: Pick<FilesInUse, "used" | "strange"> & {
    /** Whether there certainly was a first segment. */
    readonly wasBegun: boolean;
  },
  folder: Folder,
  visit: VisitRecord,
  skip: ((gap: Gap) => void) | undefined,
): Promise<Pick<Recovered, "recovery" | "files">> {
  const files: RecoveredFile[] = [];
  let records = 0;
  let bytes = 0;
  let damage: Damage | undefined;
  let cut: Cut | undefined;
  const tell = (gap: Gap) => {
    const { bytes: _, ...place } = gap;
    damage ??= place;
    skip?.(gap);
  };
  const mayGoOn = () => damage === undefined || skip !== undefined;
  const reading = { ...folder, skips: skip !== undefined, tell };
  const untold = new Set(strange);
  const tellStrange = (one: SurveyedFile) => {
    untold.delete(one);
    tell({ ...placeIn(one, 0), reason: "it belongs to another log", bytes: one.size });
  };
  const tellMissing = (sequence: number) => {
    const file = fileName({ kind: "segment", sequence });
    const other = strange.find(({ name }) => name === file);
    if (other !== undefined) return tellStrange(other);
    tell({ file, segment: sequence, offset: 0, reason: "the file is missing", bytes: 0 });
  };
  let wanted = used[0]?.kind === "checkpoint" ? used[0].sequence : 1;
  for (const [index, one] of used.entries()) {
    const { name, kind, sequence, size, header } = one;
    const before = used[index - 1];
    if (kind === "segment") {
      if (sequence !== wanted) tellMissing(wanted);
      wanted = sequence + 1;
      if (before !== undefined && !follows(one, before)) {
        tell({ ...placeIn(one, 0), reason: `it does not follow ${before.name}`, bytes: 0 });
      }
    }
    if (!mayGoOn()) break;
    const limit = statedEnd(one, used[index + 1]);
    const read = await readFile(one, limit, reading, (payload, offset) => {
      records += 1;
      bytes += payload.length;
      return visit(payload, placeIn(one, offset));
    });
    const { log = "", salt = 0, previous = 0 } = header ?? {};
    files.push({ name, kind, sequence, log, salt, previous, bytes: read.end, size });
    cut = read.cut;
    if (!mayGoOn()) break;
  }
  const last = used.at(-1);
  const isCutOff = last === undefined ? wasBegun : last.kind === "checkpoint" || isFollowed(last);
  if (mayGoOn() && isCutOff) tellMissing(wanted);
  if (mayGoOn()) untold.forEach(tellStrange);
  const fault = damage === undefined ? cut && { cut } : { damage };
  return { recovery: { records, bytes, ...fault }, files };
}

/** Returns the end of the records of a file, as an offset in bytes, if a header states it. */
function statedEnd(one: SurveyedFile, next: SurveyedFile | undefined): number | undefined {
  if (one.kind === "checkpoint") return one.header?.end;
  return next !== undefined && proves(next, one) ? next.header?.end : undefined;
}

/** Says whether a segment may follow a file: their headers do not contradict that. */
function follows(one: SurveyedFile, before: SurveyedFile): boolean {
  return one.header === undefined || before.header === undefined || proves(one, before) ||
    before.kind === "segment" && before.sequence + 1 !== one.sequence;
}

/** Says whether the header of a segment proves that it follows a file. */
function proves({ header, sequence }: SurveyedFile, before: SurveyedFile): boolean {
  if (header === undefined) return false;
  // A checkpoint replaces all segments before the one after it, so both have the same `previous`.
  if (before.kind === "checkpoint") return header.previous === before.header?.previous;
  if (before.sequence + 1 !== sequence) return false;
  return before.header === undefined || header.previous === before.header.salt;
}
