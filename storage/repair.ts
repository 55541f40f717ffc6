/**
 * Making a damaged log writable again: what `faderd log repair` does. What is good becomes the log;
 * whatever was damaged is kept beside it under names that end in `.damaged`.
 *
 * @module
 */
import type { Damage, Recovery } from "./contract.ts";
import { copyFile } from "./copy-file.ts";
import { denoFileSystem } from "./deno/file-system.ts";
import { closing, type FileSystem } from "./file-system.ts";
import { lockFolder, nameAside } from "./folder.ts";
import {
  encodeHeader,
  type FileIdentity,
  fileName,
  newForm,
  parseFileName,
  recordsFrom,
} from "./format.ts";
import { pieceBytes, type Spot, storedBytes, writeHeader, writePiece } from "./records.ts";
import { type Gap, recover, type Recovered } from "./recovery.ts";
import { readAround } from "./salvage.ts";
import { openSpare } from "./spare.ts";
import { describeFault, isFull, StorageError } from "./storage-error.ts";

/** What to do at damage. */
export interface RepairOptions {
  /**
   * Go on behind each damage with the next record that is good, instead of ending the log there.
   * What comes after may build on what is missing, so that is for people to choose.
   */
  readonly skip?: boolean;
  readonly files?: FileSystem;
}

/** What a repair did. */
export interface Repair {
  /** The log as it was found. Without `damage` nothing was done. */
  readonly found: Recovery;
  /** How many records the log has now. */
  readonly records: number;
  /** What was passed over to reach the records behind it. */
  readonly skipped: readonly Gap[];
  /** Names of the files that were put aside, or copied before they were replaced. */
  readonly kept: readonly string[];
}

/**
 * Writes the good records of the log in `folder` into a checkpoint of their own: those before the
 * first damage or, with `skip`, all. A power cut in the middle leaves a log that can be repaired
 * again, or the repaired one. Rejects as {@link openLog} does, and where the medium has no room,
 * with nothing changed but that the log's spare is gone.
 */
export async function repairLog(folder: string, options: RepairOptions = {}): Promise<Repair> {
  const { skip = false, files = denoFileSystem } = options;
  const release = await lockFolder(files, folder);
  try {
    const { recovery: found } = await recover(files, folder, () => {});
    if (found.damage === undefined) {
      // What a repair before this one renamed may be seen, and not on the medium yet.
      await files.syncFolder(folder);
      return { found, records: found.records, skipped: [], kept: [] };
    }
    const skipped: Gap[] = [];
    const note = skip ? (gap: Gap) => void skipped.push(gap) : undefined;
    const read = await recover(files, folder, () => {}, note);
    const plan = planOf(await files.list(folder), read, [found.damage, ...skipped]);
    await (await openSpare(files, folder)).cut(0);
    await writeAll(files, folder, plan, skip);
    const kept = await putAside(files, folder, plan);
    await replace(files, folder, plan);
    return { found, records: read.recovery.records, skipped, kept };
  } finally {
    release();
  }
}

/** A file, and the name under which it is kept. */
interface Kept {
  readonly name: string;
  readonly keptAs: string;
}

/** What is to be done with which file. */
interface Plan {
  /** Damaged files with good records, which are copied before they are replaced. */
  readonly copied: readonly Kept[];
  /** The files that stand behind the end of the log, in the order to put them aside. */
  readonly behind: readonly Kept[];
  /** Names of files that are no part of the log, in the order to remove them. */
  readonly stale: readonly string[];
  /** Names of the files that the new checkpoint takes the place of. */
  readonly replaced: readonly string[];
  /** The number of the new checkpoint, and of the segment that follows it. */
  readonly sequence: number;
  /** Where the last records end, in bytes. */
  readonly end: number;
  /** About how much room the repair takes, in bytes. */
  readonly needed: number;
}

function planOf(unsorted: readonly string[], read: Recovered, damages: readonly Damage[]): Plan {
  const names = unsorted.toSorted();
  const isOfLog = (name: string) => parseFileName(name) !== undefined;
  const kept = (name: string): Kept => ({ name, keptAs: nameAside(names, name) });
  const damaged = damages.map(({ file }) => file);
  const used = read.files.filter(({ bytes }) => bytes > 0);
  const copied = used.filter(({ name }) => damaged.includes(name));
  const stale = read.stale.filter(isOfLog);
  const replaced = used.map(({ name }) => name);
  const behind = names.filter((name) => isOfLog(name) && ![...stale, ...replaced].includes(name));
  // A segment without a header first, else the last first: so what is left, should power fail, is
  // damaged where it was before.
  const first = behind.filter((name) => damaged.includes(name) && name.endsWith(".log"));
  return {
    copied: copied.map(({ name }) => kept(name)),
    behind: [...new Set([...first, ...behind.reverse()])].map(kept),
    stale,
    replaced,
    sequence: 1 +
      Math.max(0, ...[...stale, ...replaced].map((name) => parseFileName(name)!.sequence)),
    end: used.at(-1)?.bytes ?? 0,
    needed: copied.reduce((sum, { size }) => sum + size, recordsFrom) +
      used.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * Writes all that takes room: the new checkpoint and the segment that follows it, under other
 * names, and the copies, which are durable then. Where that fails, what was written is removed.
 */
async function writeAll(
  files: FileSystem,
  folder: string,
  { sequence, end, copied, needed }: Plan,
  skip: boolean,
): Promise<void> {
  const made: string[] = [];
  const make = (name: string) => {
    made.push(`${folder}/${name}`);
    return files.create(`${folder}/${name}`);
  };
  try {
    await closing(make(unfinished("checkpoint", sequence)), async (file) => {
      const form = newForm();
      const end = await writeGood({ file, salt: form.salt, end: recordsFrom }, files, folder, skip);
      await writeHeader(file, encodeHeader({ kind: "checkpoint", sequence, end, ...form }));
      await file.sync();
    });
    await closing(make(unfinished("segment", sequence)), async (file) => {
      await writeHeader(file, encodeHeader({ kind: "segment", sequence, end, ...newForm() }));
      await file.sync();
    });
    for (const { name, keptAs } of copied) {
      made.push(`${folder}/${keptAs}`);
      await copyFile(files, `${folder}/${name}`, `${folder}/${keptAs}`, { read: readAround });
    }
    await files.syncFolder(folder);
  } catch (fault) {
    for (const path of made) await files.remove(path).catch(() => {});
    if (!isFull(fault)) throw fault;
    const why = `${describeFault(fault)}; it takes about ${needed} bytes`;
    throw new StorageError("notStored", `${folder} could not be repaired: ${why}`);
  }
}

/** The name of a new file before it takes the place of others. */
function unfinished(kind: FileIdentity["kind"], sequence: number): string {
  return `${fileName({ kind, sequence })}.new`;
}

/**
 * Puts aside what stands behind the end of the log, one by one; answers the names of all that is
 * kept.
 */
async function putAside(
  files: FileSystem,
  folder: string,
  { copied, behind, stale }: Plan,
): Promise<string[]> {
  // They would be the log as soon as what makes them stale is put aside.
  for (const name of stale) await files.remove(`${folder}/${name}`);
  if (stale.length > 0) await files.syncFolder(folder);
  for (const { name, keptAs } of behind) {
    await files.rename(`${folder}/${name}`, `${folder}/${keptAs}`);
    await files.syncFolder(folder);
  }
  return [...copied, ...behind].map(({ keptAs }) => keptAs);
}

/** Puts the new files in the place of those before. */
async function replace(
  files: FileSystem,
  folder: string,
  { sequence, replaced }: Plan,
): Promise<void> {
  for (const kind of ["segment", "checkpoint"] as const) {
    const name = fileName({ kind, sequence });
    await files.rename(`${folder}/${unfinished(kind, sequence)}`, `${folder}/${name}`);
  }
  await files.syncFolder(folder);
  for (const name of replaced) await files.remove(`${folder}/${name}`);
}

/** Writes the good records of a folder behind `spot.end`; resolves with the offset behind them. */
async function writeGood(
  spot: Spot,
  files: FileSystem,
  folder: string,
  skip: boolean,
): Promise<number> {
  let { end } = spot;
  let piece: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    if (piece.length > 0) end = await writePiece({ ...spot, end }, piece);
    piece = [];
    bytes = 0;
  };
  await recover(files, folder, async (payload) => {
    if (bytes + storedBytes(payload) > pieceBytes) await flush();
    piece.push(payload.slice());
    bytes += storedBytes(payload);
  }, skip ? () => {} : undefined);
  await flush();
  return end;
}
