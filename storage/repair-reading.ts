/**
 * Reading a log for a repair. A read error may be transient, so no single reading is trusted: the
 * log is read twice, and new files are read back.
 *
 * @module
 */
import { crc32 } from "../core/crc32.ts";
import { sumOfFile } from "./copy-file.ts";
import { closing, type FileSystem, type Folder } from "./file-system.ts";
import { readHeader } from "./folder.ts";
import { type Header, recordsFrom } from "./format.ts";
import type { Gap } from "./read-file.ts";
import { recover, type Recovered, type VisitRecord } from "./recovery.ts";
import { readAround } from "./salvage.ts";
import { scan } from "./scan.ts";
import { StorageError } from "./storage-error.ts";

/** A reading of the log, which is only trusted if a second one is equal. */
export interface Reading extends Recovered {
  readonly skipped: readonly Gap[];
  /** A checksum over all records. */
  readonly sum: number;
}

/** Reads the log, and gives each record to `visit`. */
export async function readLog(
  folder: Folder,
  skip: boolean,
  visit: VisitRecord = () => {},
): Promise<Reading> {
  const skipped: Gap[] = [];
  let sum = 0;
  const recovered = await recover(folder, (payload, place) => {
    sum = sumOf(payload, sum);
    return visit(payload, place);
  }, skip ? (gap) => void skipped.push(gap) : undefined);
  return { ...recovered, skipped, sum };
}

/** Returns the checksum of a record joined to the records before it, whose checksum is `before`. */
function sumOf(payload: Uint8Array, before: number): number {
  return crc32(payload, (before ^ payload.length) >>> 0);
}

/** Rejects unless two readings of a folder agree. */
export function expectAgreement(folder: string, one: Reading, other: Reading): void {
  const told = ({ recovery, files, stale, skipped, sum }: Reading) =>
    JSON.stringify({ recovery, files, stale, skipped, sum });
  expectSame(told(one) === told(other), folder);
}

function expectSame(isSame: boolean, what: string): void {
  if (isSame) return;
  const advice = "nothing was changed: repair it again";
  throw new StorageError("notStored", `${what} was read twice, and differed; ${advice}`);
}

/**
 * Reads a new file back: rejects unless its header is right and a checkpoint has the records of a
 * reading.
 */
export async function expectWritten(
  files: FileSystem,
  path: string,
  written: Header,
  reading?: Reading,
): Promise<void> {
  await closing(files.openToRead(path), async (file) => {
    const header = await readHeader(file, written, path);
    expectSame(header?.end === written.end && header.salt === written.salt, path);
    if (reading === undefined) return;
    let records = 0;
    let sum = 0;
    const progress = { end: recordsFrom, durable: recordsFrom };
    await scan({ file, salt: written.salt, limit: written.end }, progress, (payload) => {
      records += 1;
      sum = sumOf(payload, sum);
    });
    expectSame(records === reading.recovery.records && sum === reading.sum, path);
  });
}

/**
 * Reads a file and its copy: rejects unless they are equal, except for bytes that cannot be read.
 */
export async function expectCopied(files: FileSystem, from: string, to: string): Promise<void> {
  expectSame(await sumOfFile(files, from, readAround) === await sumOfFile(files, to), from);
}
