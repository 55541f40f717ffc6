/**
 * The folder of a log: one process holds it at a time, and some of its files make up the log.
 *
 * @module
 */
import { type FileSystem, type OpenFile, readFully } from "./file-system.ts";
import {
  decodeHeader,
  type FileIdentity,
  formatVersion,
  type Header,
  headerBytes,
  parseFileName,
} from "./format.ts";
import { StorageError } from "./storage-error.ts";

/**
 * Takes the folder for this process alone; the answer gives it back, and so does the end of the
 * process. Rejects with a {@link StorageError} when another process has it.
 */
export async function lockFolder(files: FileSystem, folder: string): Promise<() => void> {
  const release = await files.lock(folder);
  if (release !== undefined) return release;
  throw new StorageError("inUse", `the data folder ${folder} is in use by another process`);
}

/** One file of the log, open. */
export interface SurveyedFile extends FileIdentity {
  readonly name: string;
  readonly file: OpenFile;
  /** Its length in bytes. */
  readonly size: number;
  /** Undefined when the header is not whole, not right, or not that of a file of this name. */
  readonly header: Header | undefined;
}

/** The files of a folder, by what they are to the log. */
export interface Survey {
  /** In order: the newest checkpoint, if there is one, and the segments after it. */
  readonly used: readonly SurveyedFile[];
  /** The number that the first segment must have. */
  readonly first: number;
  /** The last segment, when power failed while it was made: it never held a record. */
  readonly unborn: SurveyedFile | undefined;
  /** Names of files that serve no more, left over when power failed before they were removed. */
  readonly stale: readonly string[];
}

/**
 * Opens every file of the log in `folder`, hands them to `read`, and closes them.
 * Rejects, with nothing changed, when a newer version of the format is among them.
 */
export async function survey<T>(
  files: FileSystem,
  folder: string,
  read: (survey: Survey) => Promise<T>,
): Promise<T> {
  const names = (await files.list(folder)).sort();
  const found: SurveyedFile[] = [];
  const opened: OpenFile[] = [];
  try {
    for (const name of names) {
      const identity = parseFileName(name);
      if (identity === undefined) continue;
      const file = await files.openToRead(`${folder}/${name}`);
      opened.push(file);
      const header = await readHeader(file, identity, `${folder}/${name}`);
      found.push({ name, ...identity, file, size: await file.size(), header });
    }
    const checkpoint = found.findLast(({ kind }) => kind === "checkpoint");
    const first = checkpoint?.sequence ?? 1;
    const segments = found.filter(({ kind, sequence }) => kind === "segment" && sequence >= first);
    const inUse = checkpoint === undefined ? segments : [checkpoint, ...segments];
    const unborn = await findUnborn(inUse);
    const used = inUse.filter((one) => one !== unborn);
    const stale = [
      ...names.filter((name) => /^\d{8,}\.(log|checkpoint)\.new$/.test(name)),
      ...found.filter((one) => !used.includes(one)).map(({ name }) => name),
    ];
    return await read({ used, first, unborn, stale });
  } finally {
    for (const file of opened) await file.close();
  }
}

/** Reads the header of a file; undefined where it is not one that fits the file's name. */
async function readHeader(
  file: OpenFile,
  { kind, sequence }: FileIdentity,
  path: string,
): Promise<Header | undefined> {
  const header = decodeHeader(await readFully(file, new Uint8Array(headerBytes), 0));
  if (header === undefined) return undefined;
  if ("newer" in header) {
    const known = `this program knows versions up to ${formatVersion}`;
    throw new StorageError("newerFormat", `${path} has format version ${header.newer}: ${known}`);
  }
  return header.kind === kind && header.sequence === sequence ? header : undefined;
}

async function findUnborn(used: readonly SurveyedFile[]): Promise<SurveyedFile | undefined> {
  // A checkpoint is only begun once the segment that follows it is made, so that one was born.
  const born = used[0]?.kind === "checkpoint" ? 2 : 0;
  const last = used.at(-1);
  if (last === undefined || used.length <= born || last.header !== undefined) return undefined;
  const rest = new Uint8Array(Math.max(0, last.size - headerBytes));
  const isEmpty = (await readFully(last.file, rest, headerBytes)).every((byte) => byte === 0);
  return isEmpty ? last : undefined;
}
