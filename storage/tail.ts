/**
 * The end of the log: the segment that records are added to, and what happens when that fails.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { copyFile } from "./copy-file.ts";
import { closing, type FileSystem, type OpenFile, writeFully } from "./file-system.ts";
import { encodeHeader, fileName, headerBytes } from "./format.ts";
import { storedBytes, writePiece } from "./records.ts";
import type { LogFile } from "./recovery.ts";
import { describeFault, StorageError } from "./storage-error.ts";

/**
 * A segment is lengthened this far ahead, in bytes, with zeros that take no space, so that a write
 * need not make a new length durable too. Without it `deno task bench storage` shows one writer a
 * fifth slower.
 */
const reserveBytes = 64 * 1024;

/** Where the log grows. Its owner makes one call at a time. */
export interface Tail {
  /**
   * Makes what was recovered safe to write behind, once: cuts a torn end off, makes sure that the
   * rest is on the medium, removes stale files. Where it rejects, whatever comes next tries again.
   */
  open(): Promise<void>;
  /** Makes sure that there is a segment to write to, be it a new one. */
  ready(): Promise<void>;
  /** Writes one piece of records; resolves once durable. When it rejects, none of them is there. */
  write(piece: readonly RecordBytes[]): Promise<void>;
  /** Begins a new segment; resolves with its number once it is safe. */
  begin(): Promise<number>;
  close(): Promise<unknown>;
}

/** What a tail works on. */
export interface TailOptions {
  readonly files: FileSystem;
  readonly folder: string;
  readonly segmentBytes: number;
  /**
   * The files of the log in order, kept up to date: the tail adds segments and keeps the size of
   * the last one, a compaction replaces what stands before.
   */
  readonly chain: LogFile[];
}

/**
 * Makes sure that what was recovered is on the medium, opens its last segment, if there is one, and
 * removes the `stale` files.
 */
async function openLast(
  { files, folder, chain }: TailOptions,
  stale: readonly string[],
): Promise<OpenFile | undefined> {
  const last = chain.at(-1);
  if (last !== undefined) await settle(files, `${folder}/${last.name}`, last.bytes);
  const file = last && await files.open(`${folder}/${last.name}`);
  await files.syncFolder(folder);
  for (const name of stale) await files.remove(`${folder}/${name}`);
  // One may be a segment that was never finished, and says an older end of the one before it: no
  // power cut may bring it back.
  if (stale.length > 0) await files.syncFolder(folder);
  return file;
}

/**
 * After a kill, what was read may not be on the medium yet, and a sync that fails once proves
 * nothing when it succeeds later, which may be in another process. So a segment that was not closed
 * is put in place anew, up to its `end`. One that was closed holds records, and nothing behind them.
 */
async function settle(files: FileSystem, path: string, end: number): Promise<void> {
  const size = await closing(files.openToRead(path), (file) => file.size());
  if (size === end && end > headerBytes) return;
  await copyFile(files, path, `${path}.new`, end);
  await files.rename(`${path}.new`, path);
}

/** Makes the tail of what was recovered, whose `stale` files are to be removed. */
export function createTail(options: TailOptions, stale: readonly string[]): Tail {
  const { files, folder, segmentBytes, chain } = options;
  let opened = false;
  let current: OpenFile | undefined;
  /** How far the current segment is lengthened, in bytes. */
  let reserved = 0;
  /**
   * The number of a segment that stays although it is empty, either because a checkpoint is being
   * written that it must follow, or because its header alone says where its predecessor ends.
   */
  let needed: number | undefined;

  /** Where the last segment ends, in bytes. */
  const end = () => chain.at(-1)?.bytes ?? 0;
  const sequence = () => chain.at(-1)?.sequence ?? 0;

  async function begin(): Promise<void> {
    await open();
    await leave();
    const header = { kind: "segment", sequence: sequence() + 1, end: end() } as const;
    const name = fileName(header);
    const file = await files.create(`${folder}/${name}`);
    try {
      await writeFully(file, encodeHeader(header), 0);
      await file.sync();
      await files.syncFolder(folder);
    } catch (fault) {
      await attempt(file.close);
      await attempt(() => files.remove(`${folder}/${name}`));
      throw fault;
    }
    current = file;
    reserved = 0;
    chain.push({ name, kind: "segment", sequence: header.sequence, bytes: headerBytes });
  }

  async function open(): Promise<void> {
    if (!opened) current = await openLast(options, stale);
    opened = true;
  }

  async function ready(): Promise<void> {
    await open();
    if (current === undefined) await begin();
  }

  async function beginNeeded(): Promise<number> {
    await begin();
    return needed = sequence();
  }

  /**
   * Cuts the reserve off the segment and closes it; answers whether the cut is on the medium. When
   * a segment follows, that does not matter, as its header says where this one ends.
   */
  async function leave(): Promise<boolean> {
    const file = current;
    current = undefined;
    if (file === undefined) return true;
    const isCut = await attempt(async () => {
      await file.truncate(end());
      await file.sync();
    });
    await attempt(file.close);
    return isCut;
  }

  async function reserve(bytes: number): Promise<void> {
    if (bytes < reserved) return;
    // Always by something: a segment that ends where its records do was closed.
    reserved = (Math.floor(bytes / reserveBytes) + 1) * reserveBytes;
    await current!.truncate(reserved);
  }

  /**
   * After a failed write the medium may hold any part of it, and a sync that fails once proves
   * nothing when it succeeds later. So the segment is given up, and where it ends is made durable
   * before anybody is told: by cutting it, or, failing that, by the header of the next one.
   */
  async function giveUp(): Promise<boolean> {
    if (!await leave()) return await attempt(beginNeeded);
    await dropEmpty();
    return true;
  }

  /**
   * A segment in which nothing was stored is not left behind: on a full medium each try would leave
   * one. The next has its number and its name, so it does not matter if a power cut brings it back.
   */
  async function dropEmpty(): Promise<void> {
    if (end() > headerBytes || sequence() === needed || chain.at(-2)?.kind !== "segment") return;
    if (await attempt(() => files.remove(`${folder}/${chain.at(-1)!.name}`))) chain.pop();
  }

  async function write(piece: readonly RecordBytes[]): Promise<void> {
    const bytes = storedBytes(...piece);
    const isFull = end() > headerBytes && end() + bytes > segmentBytes;
    try {
      await ready();
      if (isFull) await begin();
      await reserve(end() + bytes);
      const written = await writePiece(current!, end(), piece);
      await current!.sync();
      chain.at(-1)!.bytes = written;
    } catch (fault) {
      // Without a segment, none could be begun, so nothing was written.
      const certain = current === undefined || await giveUp();
      const doubt = certain ? "" : "; it may be found after a restart, as the refusal failed too";
      const why = `${describeFault(fault)} (${folder}, segment ${sequence()})${doubt}`;
      throw new StorageError("notStored", `could not be stored: ${why}`, certain, { cause: fault });
    }
  }

  return { open, ready, write, begin: beginNeeded, close: leave };
}

async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}
