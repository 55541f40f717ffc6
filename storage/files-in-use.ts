/**
 * Finds the files of a folder that make up its log.
 *
 * @module
 */
import { closing, type Folder } from "./file-system.ts";
import type { SurveyedFile } from "./folder.ts";
import { closedBytes, followedBytes, markOf, recordsFrom } from "./format.ts";
import { readFile } from "./read-file.ts";
import { saltByRecords } from "./salvage.ts";
import { judgeEnd } from "./scan.ts";
import { isUnreadable } from "./storage-error.ts";

/** A last segment without proof that it ever held an acknowledged record. */
export interface Uncommitted {
  readonly file: SurveyedFile;
  /** Whether there are only zeros in place of records, so that it certainly never held one. */
  readonly isEmpty: boolean;
}

/** The files of a folder, by their role in the log. */
export interface FilesInUse {
  /** The number of the log; undefined if no file states it. */
  readonly log: string | undefined;
  /** The files of the log, in order: a checkpoint, if there is one, and the segments behind it. */
  readonly used: readonly SurveyedFile[];
  readonly uncommitted: Uncommitted | undefined;
  /** Files of other logs. */
  readonly strange: readonly SurveyedFile[];
  /**
   * Names of files to remove, the newest first, and a checkpoint after the segments that follow it:
   * a power cut between the removals leaves no part of an older log that looks complete.
   */
  readonly stale: readonly string[];
}

/** Finds which of the files found in a folder make up the log. */
export async function findFilesInUse(
  found: readonly SurveyedFile[],
  folder: Folder,
): Promise<FilesInUse> {
  const log = logOf(found);
  const isOwn = ({ header }: SurveyedFile) => header === undefined || header.log === log;
  const own = found.filter(isOwn);
  const base = await chooseBase(own, folder);
  const first = base?.sequence ?? 1;
  const inUse = own.filter((one) =>
    one === base || one.kind === "segment" && one.sequence >= first
  );
  const uncommitted = await findUncommitted(inUse, folder);
  const used = inUse.filter((one) => one !== uncommitted?.file);
  const isKept = (one: SurveyedFile) =>
    used.includes(one) || one === uncommitted?.file && !uncommitted.isEmpty;
  return {
    log,
    used,
    uncommitted,
    strange: found.filter((one) => !isOwn(one)),
    stale: own.filter((one) => !isKept(one)).map(({ name }) => name).reverse(),
  };
}

/** Returns the number of the log that most of the files belong to. */
function logOf(found: readonly SurveyedFile[]): string | undefined {
  const logs = found.flatMap(({ header }) => header === undefined ? [] : [header.log]);
  const count = (log: string) => logs.filter((other) => other === log).length;
  return logs.toSorted((one, other) => count(other) - count(one))[0];
}

/**
 * Returns the checkpoint that the log begins with: the newest. If power failed before the files
 * that it replaces were removed, these are all there, and are used instead if it is damaged or the
 * segment after it was not made yet. The checkpoint among them may have been overwritten, because
 * it became the reserve meanwhile.
 */
async function chooseBase(
  found: readonly SurveyedFile[],
  folder: Folder,
): Promise<SurveyedFile | undefined> {
  const checkpoints = found.filter(({ kind }) => kind === "checkpoint");
  const [newest, older] = checkpoints.reverse();
  if (newest === undefined) return undefined;
  const segments = found.filter(({ kind }) => kind === "segment");
  const first = older?.sequence ?? 1;
  const replaced = segments.filter(({ sequence }) =>
    sequence >= first && sequence < newest.sequence
  );
  const isThere = newest.sequence > first && replaced.length === newest.sequence - first;
  if (!isThere) return newest;
  const next = segments.find(({ sequence }) => sequence === newest.sequence);
  // An empty segment that was begun and given up may have its name again after a power cut, and so
  // may the checkpoint.
  const isFollowed = next !== undefined && await judgeHeadless(next, folder) !== "nothing";
  if (isFollowed && await isWhole(newest, folder)) return newest;
  return older === undefined || await isWhole(older, folder) ? older : newest;
}

async function isWhole(one: SurveyedFile, folder: Folder): Promise<boolean> {
  let isDamaged = false;
  const tell = () => void (isDamaged = true);
  await readFile(one, one.header?.end, { ...folder, skips: false, tell }, () => {});
  return !isDamaged;
}

/** Returns the last segment if it looks as if power had failed in its first write. */
async function findUncommitted(
  used: readonly SurveyedFile[],
  folder: Folder,
): Promise<Uncommitted | undefined> {
  const before = used.at(-2);
  const last = used.at(-1);
  // A checkpoint is only begun once the segment after it is made.
  const isMade = used.length <= (used[0]?.kind === "checkpoint" ? 2 : 0);
  if (last === undefined || isMade || before !== undefined && isFollowed(before)) return undefined;
  const rest = await judgeHeadless(last, folder);
  if (rest === "nothing") return { file: last, isEmpty: true };
  // The header of the first segment is durable before anything is written behind it, and a closed
  // segment is completely on the medium.
  const wasCommitted = last.sequence === 1 || markOf(last.size) === closedBytes;
  return rest === "torn" && !wasCommitted ? { file: last, isEmpty: false } : undefined;
}

/** Says whether the length of a segment shows that the next segment was on the medium. */
export function isFollowed({ kind, size }: SurveyedFile): boolean {
  return kind === "segment" && markOf(size) === followedBytes;
}

/**
 * Judges the bytes after the header of a file without a valid header, as {@link judgeEnd} does;
 * undefined for a file with a valid header, and for a file that cannot be read.
 */
async function judgeHeadless(
  { name, size, header, unreadable }: SurveyedFile,
  { files, folder }: Folder,
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
