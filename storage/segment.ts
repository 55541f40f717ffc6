/**
 * The file of one segment that is open for writing.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { type Folder, type OpenFile, writeFully } from "./file-system.ts";
import { fileName, type Header, newSalt, recordsFrom, sectorBytes, writeAfter } from "./format.ts";
import type { LogFile, LogMedium } from "./log-medium.ts";
import { smallBytes, storedBytes, writePiece } from "./records.ts";
import { isFull } from "./storage-error.ts";

/**
 * Number of bytes by which a segment is lengthened ahead, so that a write need not make a new
 * length durable, too. Without it `deno task bench storage` shows that a single writer is a fifth
 * slower.
 */
const extentBytes = 64 * 1024;

/**
 * Size of a block of a file system, in bytes. A zero is written into each block that is ahead,
 * which allocates the block on the medium: otherwise the sync of every eighth small record has to
 * make a new allocation durable, too. This is not worth it for writes of more than a block, which
 * would soon write all of these blocks again.
 */
const blockBytes = 4096;

/**
 * Number of zeros that are written to test whether a medium accepts writes. They mean nothing, and
 * stay where the next record goes, so that a small one is sure to find space.
 */
const probeBytes = smallBytes;

/** A segment that is open for writing. */
export interface Segment {
  readonly file: OpenFile;
  readonly entry: LogFile;
  /** Its length including zeros ahead, in bytes. */
  extent: number;
}

/** The segment that is to follow the last file of a log, and its header. */
export function nextSegment(
  { chain, log, random }: LogMedium,
): { readonly entry: LogFile; readonly header: Header } {
  const last = chain.at(-1);
  const identity = { kind: "segment", sequence: (last?.sequence ?? 0) + 1 } as const;
  const origin = { log, salt: newSalt(random), previous: last?.salt ?? 0 };
  return {
    entry: { name: fileName(identity), ...identity, ...origin, bytes: recordsFrom },
    header: { ...identity, ...origin, end: last?.bytes ?? 0 },
  };
}

/** Returns the end of the sector in which the last good record ends, as an offset in bytes. */
export function endOf({ entry }: Segment): number {
  return writeAfter(entry.bytes);
}

async function extend(segment: Segment, bytes: number): Promise<void> {
  const { file, entry, extent } = segment;
  if (bytes <= extent) return;
  // The first write is not extended: its header is not durable yet.
  const step = entry.bytes === recordsFrom ? sectorBytes : extentBytes;
  const ahead = Math.ceil(bytes / step) * step;
  await file.truncate(ahead);
  segment.extent = ahead;
  if (bytes - endOf(segment) <= blockBytes) await allocate(file, bytes, ahead);
}

/**
 * Allocates the blocks of a file from `bytes` to `ahead`, until there is no more space. The whole
 * file has to be durable before, because a failed write leaves its content uncertain.
 */
async function allocate(file: OpenFile, bytes: number, ahead: number): Promise<void> {
  try {
    for (let at = Math.ceil(bytes / blockBytes) * blockBytes; at < ahead; at += blockBytes) {
      await writeFully(file, new Uint8Array(1), at);
    }
  } catch (fault) {
    if (!isFull(fault)) throw fault;
  }
}

/**
 * Writes records behind the good ones; resolves with their end in bytes. They are durable once the
 * file is synced.
 */
export async function writeRecords(
  segment: Segment,
  piece: readonly RecordBytes[],
): Promise<number> {
  const { file, entry: { salt, bytes } } = segment;
  await extend(segment, endOf(segment) + storedBytes(...piece));
  return await writePiece({ file, salt, end: bytes }, piece);
}

/**
 * Writes zeros behind the records of a segment as a test; resolves once the medium has stored them.
 */
export async function probe(folder: Folder, segment: Segment): Promise<void> {
  const from = endOf(segment);
  try {
    await extend(segment, from + probeBytes);
    await writeFully(segment.file, new Uint8Array(probeBytes), from);
    await segment.file.sync();
    expectThere(folder, segment);
  } catch (fault) {
    await cut(segment);
    throw fault;
  }
}

/** Rejects a segment that is not in the folder, as when that was emptied, removed or replaced. */
export function expectThere({ folder }: Folder, { file, entry }: Segment): void {
  if (!file.isAt(`${folder}/${entry.name}`)) throw removed();
}

/**
 * Rejects a folder without the last file of the log, as an empty medium that was mounted instead:
 * the log would go on there without its records.
 */
export async function expectLast({ files, folder, chain }: LogMedium): Promise<void> {
  const last = chain.at(-1);
  if (last === undefined) return;
  if (!(await files.list(folder)).includes(last.name)) throw removed();
}

function removed(): Error {
  return Object.assign(new Error("the data folder was emptied, removed or replaced"), {
    code: "ENOENT",
  });
}

/**
 * Cuts a segment behind the sector of its last good record, which is not touched; returns whether
 * the cut is on the medium. It removes everything written since the last sync, so the next write
 * may use the space.
 */
export function cut(segment: Segment): Promise<boolean> {
  segment.extent = 0;
  return succeeds(async () => {
    await segment.file.truncate(endOf(segment));
    await segment.file.sync();
  });
}

/**
 * Undoes the beginning of a segment. A failed sync may have lost its header, so nothing is ever
 * written to it again; the next segment has its number and its name. Returns whether no power cut
 * can bring its content back.
 */
export async function discard(
  { files, folder }: Folder,
  { file, entry }: Segment,
): Promise<boolean> {
  const isEmpty = await succeeds(async () => {
    await file.truncate(0);
    await file.sync();
  });
  await succeeds(file.close);
  const isGone = await succeeds(() => files.remove(`${folder}/${entry.name}`));
  return isEmpty || isGone && await succeeds(() => files.syncFolder(folder));
}

/** Does something that may fail; returns whether it succeeded. */
export async function succeeds(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}
