/**
 * Making a damaged log writable again: what `faderd log repair` does. What is good becomes the log;
 * whatever was damaged is kept beside it under names that end in `.damaged`.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import type { Random } from "../core/ports.ts";
import type { Recovery } from "./contract.ts";
import { copyFile, isCopy } from "./copy-file.ts";
import { closing, type FileSystem, type OpenFile } from "./file-system.ts";
import { lockFolder, quarantineName, readHeader } from "./folder.ts";
import {
  encodeHeader,
  type FileIdentity,
  fileName,
  type Header,
  newLog,
  newSalt,
  parseFileName,
  recordsFrom,
} from "./format.ts";
import { pieceBytes, type Spot, storedBytes, writeHeader, writePiece } from "./records.ts";
import type { Gap } from "./read-file.ts";
import { recover, type Recovered, type VisitRecord } from "./recovery.ts";
import { readAround } from "./salvage.ts";
import { scan } from "./scan.ts";
import { openReserve } from "./reserve.ts";
import { describeFault, isFull, StorageError } from "./storage-error.ts";
import { systemRandom } from "./system-random.ts";
import type { LogFile } from "./log-medium.ts";

/** What to do at damage. */
export interface RepairOptions {
  /**
   * Go on behind each damage with the next record that is good, instead of ending the log there.
   * What comes after may build on what is missing, so that is for people to choose.
   */
  readonly skip?: boolean;
  /** What the log is read from and written to. */
  readonly files: FileSystem;
  /** Where the numbers come from that tell files apart; without it, the machine's. */
  readonly random?: Random;
}

/** What a repair did. */
export interface Repair {
  /** The log as it was found. Without `damage` nothing was done. */
  readonly found: Recovery;
  /** How many records the log has now. */
  readonly records: number;
  /** What was passed over to reach the records behind it. */
  readonly skipped: readonly Gap[];
  /** Names of the files that were quarantined, or copied before they were replaced. */
  readonly kept: readonly string[];
}

/**
 * Writes the good records of the log in `folder` into a checkpoint of their own: those before the
 * first damage or, with `skip`, all. The log is read twice, and what is written is read back: a read
 * error that passes makes one of these differ. A power cut in the middle leaves a log that can be
 * repaired again, or the repaired one. Rejects as {@link openLog} does, where the medium has no room,
 * and where it was read differently, with nothing changed but that the log's reserve is gone.
 */
export async function repairLog(folder: string, options: RepairOptions): Promise<Repair> {
  const { skip = false, files, random = systemRandom } = options;
  const lock = await lockFolder(files, folder);
  try {
    const reading = await read(files, folder, skip);
    const { recovery: found, skipped, unfinished } = reading;
    if (found.damage === undefined) {
      // What a repair before this one renamed may be seen, and not on the medium yet.
      await files.syncFolder(folder);
      return { found, records: found.records, skipped: [], kept: [] };
    }
    const plan = planOf(await files.list(folder), reading, random);
    for (const name of unfinished) await files.remove(`${folder}/${name}`);
    await (await openReserve(files, folder, random)).cut(0);
    await writeAll(files, folder, plan, { reading, skip, random });
    const kept = await quarantine(files, folder, plan);
    await replace(files, folder, plan);
    return { found, records: found.records, skipped, kept };
  } finally {
    lock.release();
  }
}

/** A reading of the log, as another one has to be to be believed. */
interface Reading extends Recovered {
  readonly skipped: readonly Gap[];
  /** A sum over all records. */
  readonly sum: number;
}

/** Reads the log, and gives each record to `visit`. */
async function read(
  files: FileSystem,
  folder: string,
  skip: boolean,
  visit: VisitRecord = () => {},
): Promise<Reading> {
  const skipped: Gap[] = [];
  let sum = 0;
  const recovered = await recover(files, folder, (payload, place) => {
    sum = sumOf(payload, sum);
    return visit(payload, place);
  }, skip ? (gap) => void skipped.push(gap) : undefined);
  return { ...recovered, skipped, sum };
}

function isSame(one: Reading, other: Reading): boolean {
  const told = ({ recovery, files, stale, skipped, sum }: Reading) =>
    JSON.stringify({ recovery, files, stale, skipped, sum });
  return told(one) === told(other);
}

/** Adds a record to a sum over those before it. */
function sumOf(payload: Uint8Array, before: number): number {
  return crc32(payload, (before ^ payload.length) >>> 0);
}

function expectSame(isSame: boolean, what: string): void {
  if (isSame) return;
  const advice = "nothing was changed: repair it again";
  throw new StorageError("notStored", `${what} was read twice, and differed; ${advice}`);
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
  /** The files that stand behind the end of the log, in the order to quarantine them. */
  readonly behind: readonly Kept[];
  /** Names of files that are no part of the log, in the order to remove them. */
  readonly stale: readonly string[];
  /** Names of the files that the new checkpoint takes the place of. */
  readonly replaced: readonly string[];
  /** What the headers of the new checkpoint, and of the segment that follows it, have in common. */
  readonly origin: Pick<LogFile, "sequence" | "log" | "previous">;
  /** Where the last records end, in bytes. */
  readonly end: number;
  /** About how much room the repair takes, in bytes. */
  readonly needed: number;
}

function planOf(unsorted: readonly string[], read: Reading, random: Random): Plan {
  const names = unsorted.toSorted();
  const isOfLog = (name: string) => parseFileName(name) !== undefined;
  const kept = (name: string): Kept => ({ name, keptAs: quarantineName(names, name) });
  const damaged = [read.recovery.damage!, ...read.skipped].map(({ file }) => file);
  const used = read.files.filter(({ bytes }) => bytes > 0);
  const copied = used.filter(({ name }) => damaged.includes(name));
  const { stale } = read;
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
    origin: {
      sequence: 1 +
        Math.max(0, ...[...stale, ...replaced].map((name) => parseFileName(name)!.sequence)),
      log: read.log ?? newLog(random),
      previous: used.at(-1)?.salt ?? 0,
    },
    end: used.at(-1)?.bytes ?? 0,
    needed: copied.reduce((sum, { size }) => sum + size, recordsFrom) +
      used.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * Writes all that takes room: the new checkpoint and the segment that follows it, and the copies,
 * under other names, which are durable and read back then. Where that fails, what was written is
 * removed.
 */
async function writeAll(
  files: FileSystem,
  folder: string,
  { origin, end, copied, needed }: Plan,
  { reading, skip, random }: {
    readonly reading: Reading;
    readonly skip: boolean;
    readonly random: Random;
  },
): Promise<void> {
  const made: string[] = [];
  const make = (name: string) => {
    made.push(`${folder}/${name}`);
    return files.create(`${folder}/${name}`);
  };
  const write = async (header: Header, file: OpenFile) => {
    await writeHeader(file, encodeHeader(header));
    await file.sync();
  };
  try {
    const checkpoint = { kind: "checkpoint", ...origin, salt: newSalt(random) } as const;
    const good = await closing(make(unfinished(checkpoint)), async (file) => {
      const spot = { file, salt: checkpoint.salt, end: recordsFrom };
      const good = await writeGood(spot, files, folder, skip);
      await write({ ...checkpoint, end: good.end }, file);
      return good;
    });
    expectSame(isSame(good.reading, reading), folder);
    await expectWritten(files, folder, { ...checkpoint, end: good.end }, reading);
    const segment = { kind: "segment", ...origin, end, salt: newSalt(random) } as const;
    await closing(make(unfinished(segment)), (file) => write(segment, file));
    await expectWritten(files, folder, segment);
    for (const { name, keptAs } of copied) {
      const path = `${folder}/${name}`;
      made.push(`${folder}/${keptAs}.new`);
      await copyFile(files, path, `${folder}/${keptAs}.new`, { read: readAround });
      const isGood = await isCopy(files, path, `${folder}/${keptAs}.new`, readAround);
      expectSame(isGood, path);
    }
    await files.syncFolder(folder);
  } catch (fault) {
    for (const path of made) await files.remove(path).catch(() => {});
    if (!isFull(fault)) throw fault;
    const why = `${describeFault(fault)}; it takes about ${needed} bytes`;
    throw new StorageError("notStored", `${folder} could not be repaired: ${why}`);
  }
}

/** Reads a new file back: its header, and of a checkpoint that it has the records of a reading. */
async function expectWritten(
  files: FileSystem,
  folder: string,
  written: Header,
  reading?: Reading,
): Promise<void> {
  const path = `${folder}/${unfinished(written)}`;
  await closing(files.openToRead(path), async (file) => {
    const header = await readHeader(file, written, path);
    expectSame(header?.end === written.end && header.salt === written.salt, path);
    if (reading === undefined) return;
    let [records, sum] = [0, 0];
    const progress = { end: recordsFrom, durable: recordsFrom };
    await scan({ file, salt: written.salt, limit: written.end }, progress, (payload) => {
      records += 1;
      sum = sumOf(payload, sum);
    });
    expectSame(records === reading.recovery.records && sum === reading.sum, path);
  });
}

/** The name of a new file before it takes the place of others. */
function unfinished(identity: FileIdentity): string {
  return `${fileName(identity)}.new`;
}

/**
 * Quarantines what stands behind the end of the log, one by one; answers the names of all that is
 * kept.
 */
async function quarantine(
  files: FileSystem,
  folder: string,
  { copied, behind, stale }: Plan,
): Promise<string[]> {
  for (const { keptAs } of copied) {
    await files.rename(`${folder}/${keptAs}.new`, `${folder}/${keptAs}`);
  }
  if (copied.length > 0) await files.syncFolder(folder);
  // They would be the log as soon as what makes them stale is quarantined.
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
  { origin: { sequence }, replaced }: Plan,
): Promise<void> {
  for (const kind of ["segment", "checkpoint"] as const) {
    const name = fileName({ kind, sequence });
    await files.rename(`${folder}/${name}.new`, `${folder}/${name}`);
  }
  await files.syncFolder(folder);
  for (const name of replaced) await files.remove(`${folder}/${name}`);
}

/**
 * Writes the good records of a folder behind `spot.end`; resolves with the offset behind them, and
 * the reading that gave them.
 */
async function writeGood(
  spot: Spot,
  files: FileSystem,
  folder: string,
  skip: boolean,
): Promise<{ readonly end: number; readonly reading: Reading }> {
  let { end } = spot;
  let piece: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    if (piece.length > 0) end = await writePiece({ ...spot, end }, piece);
    piece = [];
    bytes = 0;
  };
  const reading = await read(files, folder, skip, async (payload) => {
    if (bytes + storedBytes(payload) > pieceBytes) await flush();
    piece.push(payload.slice());
    bytes += storedBytes(payload);
  });
  await flush();
  return { end, reading };
}
