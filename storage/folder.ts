/**
 * The folder of a log: one process holds it at a time, and some of its files make up the log.
 *
 * @module
 */
import { closing, type Folder, type Lock, type OpenFile, readFully } from "./file-system.ts";
import {
  decodeHeader,
  type FileIdentity,
  formatVersion,
  type Header,
  headerBytes,
  headerPlaces,
  parseFileName,
} from "./format.ts";
import { describeFault, isUnreadable, StorageError } from "./storage-error.ts";

/**
 * Locks the folder for this process, until the lock is released or the process ends. Rejects with a
 * {@link StorageError} if another process holds it.
 */
export async function lockFolder({ files, folder }: Folder): Promise<Lock> {
  const lock = await files.lock(folder);
  if (lock !== undefined) return lock;
  throw new StorageError("inUse", `the data folder ${folder} is in use by another process`);
}

/** One file of the log. */
export interface SurveyedFile extends FileIdentity {
  readonly name: string;
  /** Its length in bytes. */
  readonly size: number;
  /** The header; undefined if it is incomplete, invalid, or that of a file with another name. */
  readonly header: Header | undefined;
  /** The reason why its header could not be read, for people. */
  readonly unreadable?: string;
}

/** The contents of a folder. */
export interface Survey {
  /** The files of the log, by name: a checkpoint comes before the segment that follows it. */
  readonly found: readonly SurveyedFile[];
  /** Names of files that were being written when power failed. */
  readonly unfinished: readonly string[];
  /** All names in the folder. */
  readonly names: readonly string[];
}

/** Returns the unused name under which a quarantined file is kept. */
export function quarantineName(taken: readonly string[], name: string): string {
  let free = `${name}.damaged`;
  for (let count = 2; taken.includes(free); count++) free = `${name}.damaged-${count}`;
  return free;
}

/**
 * Looks at every file of the log in `folder`, one after the other. Rejects, with nothing changed,
 * if a file has another version of the format.
 */
export async function survey({ files, folder }: Folder): Promise<Survey> {
  const names = (await files.list(folder)).sort();
  const found: SurveyedFile[] = [];
  for (const name of names) {
    const identity = parseFileName(name);
    if (identity === undefined) continue;
    const path = `${folder}/${name}`;
    try {
      const seen = await closing(files.openToRead(path), async (file) => ({
        size: await file.size(),
        header: await readHeader(file, identity, path),
      }));
      found.push({ name, ...identity, ...seen });
    } catch (fault) {
      if (!isUnreadable(fault)) throw fault;
      const unreadable = `it could not be read: ${describeFault(fault)}`;
      found.push({ name, ...identity, size: 0, header: undefined, unreadable });
    }
  }
  return {
    found,
    unfinished: names.filter((name) =>
      /^\d{8,}\.(log|checkpoint)(\.damaged(-\d+)?)?\.new$/.test(name)
    ),
    names,
  };
}

/**
 * Reads the header of a file; undefined if no valid header fits the file's name. One readable copy
 * of the two is enough.
 */
export async function readHeader(
  file: OpenFile,
  { kind, sequence }: FileIdentity,
  path: string,
): Promise<Header | undefined> {
  let unreadable: unknown;
  for (const place of headerPlaces) {
    const bytes = await readFully(file, new Uint8Array(headerBytes), place).catch((fault) => {
      if (!isUnreadable(fault)) throw fault;
      unreadable = fault;
      return new Uint8Array();
    });
    const header = decodeHeader(bytes);
    if (header === undefined) continue;
    if ("version" in header) {
      const known = `this program reads and writes version ${formatVersion} alone`;
      const advice = "make a backup with the program that wrote it, and restore that into a new " +
        "folder; levels, labels and pictures are not part of it";
      const message = `${path} has format version ${header.version}, and ${known}: ${advice}`;
      throw new StorageError("otherFormat", message);
    }
    if (header.kind === kind && header.sequence === sequence) return header;
  }
  if (unreadable !== undefined) throw unreadable;
  return undefined;
}
