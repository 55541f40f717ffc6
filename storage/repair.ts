/**
 * Makes a damaged log writable again: what `faderd log repair` does. The good records become the
 * log; damaged files are kept beside it under names that end in `.damaged`.
 *
 * @module
 */
import type { Random } from "../core/ports.ts";
import { createCheckpointWriter } from "./checkpoint-file.ts";
import type { Recovery } from "./contract.ts";
import { copyFile } from "./copy-file.ts";
import { closing, type FileSystem, type Folder } from "./file-system.ts";
import { lockFolder, quarantineName } from "./folder.ts";
import { fileName, type Header, newLog, newSalt, parseFileName, recordsFrom } from "./format.ts";
import type { Gap } from "./read-file.ts";
import { writeHeader } from "./records.ts";
import {
  expectAgreement,
  expectCopied,
  expectWritten,
  type Reading,
  readLog,
} from "./repair-reading.ts";
import { openReserve } from "./reserve.ts";
import { readAround } from "./salvage.ts";
import { describeFault, isFull, StorageError } from "./storage-error.ts";

/** The options of a repair. */
export interface RepairOptions {
  /**
   * Whether to continue after each damage with the next valid record, instead of ending the
   * log there. Records behind damage may depend on missing ones, so a person has to choose.
   */
  readonly skip?: boolean;
  /** The file system of the log. */
  readonly files: FileSystem;
  /** Source of the random numbers that tell files apart. */
  readonly random: Random;
}

/** The result of a repair. */
export interface Repair {
  /** The log as it was found. Without `damage` nothing was done. */
  readonly found: Recovery;
  /** Number of records that the log has now. */
  readonly records: number;
  /** The damaged bytes that were skipped to reach the records behind them. */
  readonly skipped: readonly Gap[];
  /** Names of the files that were quarantined, or copied before they were replaced. */
  readonly kept: readonly string[];
}

/**
 * Writes the good records of the log in `folder` into a checkpoint of their own: those before the
 * first damage or, with `skip`, all. The log is read twice, and new files are read back: a
 * transient read error makes one of these readings differ. A power cut in the middle leaves a log
 * that can be repaired again, or the repaired one. Rejects as {@link openLog} does, if the medium
 * has no space, and if two readings differ; nothing is changed then, except that the log's reserve
 * is gone.
 */
export async function repairLog(folder: string, options: RepairOptions): Promise<Repair> {
  const { skip = false, files, random } = options;
  const at = { files, folder };
  const lock = await lockFolder(at);
  try {
    const reading = await readLog(at, skip);
    const { recovery: found, skipped, unfinished } = reading;
    if (found.damage === undefined) {
      // A file that an earlier repair renamed may be visible, but not be on the medium yet.
      await files.syncFolder(folder);
      return { found, records: found.records, skipped: [], kept: [] };
    }
    const plan = planOf(await files.list(folder), reading, random);
    for (const name of unfinished) await files.remove(`${folder}/${name}`);
    await (await openReserve({ ...at, random })).cut(0);
    await writeAll({ ...at, skip }, reading, plan);
    const kept = await quarantine(at, plan);
    await replace(at, plan);
    return { found, records: found.records, skipped, kept };
  } finally {
    lock.release();
  }
}

/** A file, and the name under which it is kept. */
interface Kept {
  readonly name: string;
  readonly keptAs: string;
}

/** The steps of a repair, file by file. */
interface Plan {
  /** Damaged files with good records, which are copied before they are replaced. */
  readonly copied: readonly Kept[];
  /** The files that stand behind the end of the log, in the order to quarantine them. */
  readonly behind: readonly Kept[];
  /** Names of files that are not part of the log, in the order to remove them. */
  readonly stale: readonly string[];
  /** Names of the files that the new checkpoint replaces. */
  readonly replaced: readonly string[];
  /**
   * The header of the new checkpoint, except for its `end`, and the header of the segment after it.
   */
  readonly checkpoint: Omit<Header, "end">;
  readonly segment: Header;
  /** Estimated space that the repair takes, in bytes. */
  readonly needed: number;
}

function planOf(names: readonly string[], read: Reading, random: Random): Plan {
  const { stale } = read;
  const damaged = [read.recovery.damage!, ...read.skipped].map(({ file }) => file);
  const kept = (name: string): Kept => ({ name, keptAs: quarantineName(names, name) });
  const used = read.files.filter(({ bytes }) => bytes > 0);
  const replaced = used.map(({ name }) => name);
  const copied = used.filter(({ name }) => damaged.includes(name));
  const behind = names.toSorted().reverse()
    .filter((name) => parseFileName(name) !== undefined)
    .filter((name) => !stale.includes(name) && !replaced.includes(name));
  // Segments without a valid header are quarantined first, then the files from the last one
  // backwards: so after a power cut the remaining log is damaged at the same place as before.
  const first = behind.filter((name) => damaged.includes(name) && name.endsWith(".log"));
  const numbers = [...stale, ...replaced].map((name) => parseFileName(name)!.sequence);
  const last = used.at(-1);
  const origin = {
    sequence: 1 + Math.max(0, ...numbers),
    log: read.log ?? newLog(random),
    previous: last?.salt ?? 0,
  };
  return {
    copied: copied.map(({ name }) => kept(name)),
    behind: [...new Set([...first.reverse(), ...behind])].map(kept),
    stale,
    replaced,
    checkpoint: { kind: "checkpoint", ...origin, salt: newSalt(random) },
    segment: { kind: "segment", ...origin, salt: newSalt(random), end: last?.bytes ?? 0 },
    needed: copied.reduce((sum, { size }) => sum + size, recordsFrom) +
      used.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * Writes everything that takes space: the new checkpoint, the segment after it, and the copies.
 * They have temporary names, and are durable and read back then. If that fails, they are removed.
 */
async function writeAll(
  { files, folder, skip }: Folder & { readonly skip: boolean },
  reading: Reading,
  { checkpoint, segment, copied, needed }: Plan,
): Promise<void> {
  const made: string[] = [];
  const make = (name: string): string => {
    const path = `${folder}/${name}.new`;
    made.push(path);
    return path;
  };
  try {
    const path = make(fileName(checkpoint));
    const end = await closing(files.create(path), async (file) => {
      const writer = createCheckpointWriter(file, checkpoint.salt);
      const again = await readLog(
        { files, folder },
        skip,
        (payload) => writer.add(payload.slice()),
      );
      expectAgreement(folder, again, reading);
      return await writer.finish(checkpoint);
    });
    await expectWritten(files, path, { ...checkpoint, end }, reading);
    const following = make(fileName(segment));
    await closing(files.create(following), async (file) => {
      await writeHeader(file, segment);
      await file.sync();
    });
    await expectWritten(files, following, segment);
    for (const { name, keptAs } of copied) {
      const from = `${folder}/${name}`;
      const to = make(keptAs);
      await copyFile(files, from, to, { read: readAround });
      await expectCopied(files, from, to);
    }
    await files.syncFolder(folder);
  } catch (fault) {
    for (const path of made) await files.remove(path).catch(() => {});
    if (!isFull(fault)) throw fault;
    const why = `${describeFault(fault)}; it takes about ${needed} bytes`;
    throw new StorageError("notStored", `${folder} could not be repaired: ${why}`);
  }
}

/**
 * Quarantines the files behind the end of the log, one by one; returns the names of all kept files.
 */
async function quarantine(
  { files, folder }: Folder,
  { copied, behind, stale }: Plan,
): Promise<string[]> {
  for (const { keptAs } of copied) {
    await files.rename(`${folder}/${keptAs}.new`, `${folder}/${keptAs}`);
  }
  if (copied.length > 0) await files.syncFolder(folder);
  // They would become the log as soon as the files that make them stale are quarantined.
  for (const name of stale) await files.remove(`${folder}/${name}`);
  if (stale.length > 0) await files.syncFolder(folder);
  for (const { name, keptAs } of behind) {
    await files.rename(`${folder}/${name}`, `${folder}/${keptAs}`);
    await files.syncFolder(folder);
  }
  return [...copied, ...behind].map(({ keptAs }) => keptAs);
}

/** Replaces the previous files by the new ones. */
async function replace(
  { files, folder }: Folder,
  { segment, checkpoint, replaced }: Plan,
): Promise<void> {
  for (const name of [segment, checkpoint].map(fileName)) {
    await files.rename(`${folder}/${name}.new`, `${folder}/${name}`);
  }
  await files.syncFolder(folder);
  for (const name of replaced) await files.remove(`${folder}/${name}`);
}
