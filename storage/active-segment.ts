/**
 * The end of the log: the segment that records are added to, and what happens when that fails.
 *
 * @module
 */
import type { Random, RecordBytes } from "../core/ports.ts";
import { copyFile } from "./copy-file.ts";
import { closing, type FileSystem, type OpenFile, readFully, writeFully } from "./file-system.ts";
import {
  closedBytes,
  encodeHeader,
  fileName,
  followedBytes,
  newSalt,
  type Origin,
  recordsFrom,
  writeAfter,
} from "./format.ts";
import { smallBytes, storedBytes, writeHeader, writePiece } from "./records.ts";
import type { Recovery } from "./contract.ts";
import type { LogFile, Recovered } from "./recovery.ts";
import { describeFault, isMissing, StorageError } from "./storage-error.ts";

/**
 * A segment is lengthened this far ahead, in bytes, with zeros that take no space, so that a write
 * need not make a new length durable too. Without it `deno task bench storage` shows one writer a
 * fifth slower.
 */
const extentBytes = 64 * 1024;

/**
 * What is written to try whether a medium takes anything, in bytes: zeros, which mean nothing. They
 * stay where the next record goes, so that a small one is sure to find room.
 */
const probeBytes = smallBytes;

/** Where the log grows. Its owner makes one call at a time. */
export interface ActiveSegment {
  /**
   * Makes what was recovered safe to write behind, once: cuts a torn end off, makes sure that the
   * rest is on the medium, removes stale files. Where it rejects, whatever comes next tries again.
   */
  open(): Promise<void>;
  /** Whether that is done. */
  readonly isOpen: boolean;
  /**
   * Prepares to open it otherwise, where the medium has no room for that: by a checkpoint of all
   * that was recovered. Resolves with the segment that is to follow it. This has no name yet, so that
   * it says nothing of the end of the recovered one.
   */
  prepare(): Promise<Begun>;
  /** Opens it with the segment that was prepared, once the checkpoint has its name. */
  follow(): Promise<void>;
  /** Resolves when the medium has taken something, after it had failed. */
  probe(): Promise<void>;
  /** Writes one piece of records; resolves once durable. When it rejects, none of them is there. */
  write(piece: readonly RecordBytes[]): Promise<void>;
  /** Begins a new segment; resolves with it once it is safe. */
  begin(): Promise<Begun>;
  close(): Promise<unknown>;
}

/** A segment that was begun: its number, and where it comes from. */
export type Begun = Origin & { readonly sequence: number };

/** What a active works on. */
export interface LogMedium {
  readonly files: FileSystem;
  readonly folder: string;
  readonly segmentBytes: number;
  /** The number of the log. */
  readonly log: string;
  readonly random: Random;
  /**
   * The files of the log in order, kept up to date: the active adds segments and keeps the size of
   * the last one, a compaction replaces what stands before.
   */
  readonly chain: LogFile[];
}

/**
 * Removes stale files, once the names of what is in their place are on the medium, and quarantines
 * what is to be kept. They take room and names that what follows may need.
 */
async function tidy(
  { files, folder }: LogMedium,
  stale: ReadonlySet<string>,
  quarantined: Recovery["quarantined"],
): Promise<void> {
  if (stale.size === 0 && quarantined === undefined) return;
  await files.syncFolder(folder);
  for (const name of stale) await files.remove(`${folder}/${name}`);
  if (quarantined === undefined) return;
  await files.rename(`${folder}/${quarantined.file}`, `${folder}/${quarantined.keptAs}`).catch(
    (fault) => {
      // A try before this one did it, and failed then.
      if (!isMissing(fault)) throw fault;
    },
  );
}

/** Makes sure that what was recovered is on the medium, and opens its last segment, if there is one. */
async function openLast({ files, folder, chain }: LogMedium): Promise<OpenFile | undefined> {
  const last = chain.at(-1);
  if (last !== undefined) await settle(files, folder, last);
  // Of what was removed, one may be a segment that was never finished, and says an older end of the
  // one before it: no power cut may bring it back.
  await files.syncFolder(folder);
  return last?.kind === "segment" ? await files.open(`${folder}/${last.name}`) : undefined;
}

/**
 * After a kill, what was read may not be on the medium yet, and a sync that fails once proves
 * nothing when it succeeds later, which may be in another process. So a segment that was not closed
 * is put in place anew, up to where its records end.
 */
async function settle(files: FileSystem, folder: string, last: LogFile): Promise<void> {
  const path = `${folder}/${last.name}`;
  if (await closing(files.openToRead(path), isClosed)) return;
  await copyFile(files, path, `${path}.new`, { bytes: last.bytes });
  await files.rename(`${path}.new`, path);

  /** What was cut off may stand behind the records of a closed one, too: it has to go. */
  async function isClosed(file: OpenFile): Promise<boolean> {
    const length = writeAfter(last.bytes) + closedBytes;
    if (await file.size() !== length) return false;
    const rest = await readFully(file, new Uint8Array(length - last.bytes), last.bytes);
    return rest.every((byte) => byte === 0);
  }
}

/** Makes the active of what was recovered. */
export function createActiveSegment(
  options: LogMedium,
  { stale: recovered, unfinished, recovery: { quarantined } }: Omit<Recovered, "files">,
): ActiveSegment {
  const { files, folder, segmentBytes, log, random, chain } = options;
  const stale = new Set([...unfinished, ...recovered]);
  let isOpen = false;
  let current: OpenFile | undefined;
  /** The segment before, until the one that follows it is on the medium; its length says so then. */
  let left: { readonly file: OpenFile; readonly length: number } | undefined;
  /** The segment that `prepare` made, which has no name yet. */
  let prepared: { readonly file: OpenFile; readonly entry: LogFile } | undefined;
  /** How far the current segment is lengthened, in bytes. */
  let extendedTo = 0;

  /** Who empties or removes the folder removes this segment, too. */
  function expectSegment(): void {
    if (current?.isGone() !== true) return;
    throw Object.assign(new Error("the data folder was emptied or removed"), { code: "ENOENT" });
  }

  /** Where the last segment ends, in bytes. */
  const end = () => chain.at(-1)?.bytes ?? 0;
  const sequence = () => chain.at(-1)?.sequence ?? 0;

  async function open(): Promise<void> {
    if (isOpen) return;
    await tidy(options, stale, quarantined);
    current = await openLast(options);
    isOpen = true;
  }

  /** The header of the segment that is to follow, and what is known of it. */
  function next(): { header: Uint8Array; entry: LogFile } {
    const identity = { kind: "segment", sequence: sequence() + 1 } as const;
    const origin = { log, salt: newSalt(random), previous: chain.at(-1)?.salt ?? 0 };
    const header = encodeHeader({ ...identity, ...origin, end: end() });
    return {
      header,
      entry: { name: fileName(identity), ...identity, ...origin, bytes: recordsFrom },
    };
  }

  async function prepare(): Promise<Begun> {
    await prepared?.file.close();
    prepared = undefined;
    await tidy(options, stale, quarantined);
    const { header, entry } = next();
    const { name, sequence } = entry;
    // Should this come to nothing, no power cut may bring the names back once the recovered segment
    // has grown. The checkpoint alone, without its segment, stands for nothing.
    for (const one of [`${name}.new`, name, fileName({ kind: "checkpoint", sequence })]) {
      stale.add(one);
    }
    const file = await files.create(`${folder}/${name}.new`);
    prepared = { file, entry };
    await writeHeader(file, header);
    await file.sync();
    return entry;
  }

  async function follow(): Promise<void> {
    const { file, entry } = prepared!;
    await files.rename(`${folder}/${entry.name}.new`, `${folder}/${entry.name}`);
    await files.syncFolder(folder);
    chain.push(entry);
    current = file;
    prepared = undefined;
    isOpen = true;
  }

  /**
   * Begins a segment, of which nothing is durable before its first write, name and all, is. Only
   * the first segment of a log is made durable before: without anything in front of it, a lost
   * header would make the log look new.
   */
  async function create(): Promise<void> {
    await open();
    expectSegment();
    await leave();
    const { header, entry } = next();
    current = await files.create(`${folder}/${entry.name}`);
    extendedTo = 0;
    chain.push(entry);
    try {
      await writeHeader(current, header);
      if (entry.sequence === 1) await secure();
    } catch (fault) {
      await discard();
      throw fault;
    }
  }

  /** Makes what was begun durable. */
  async function secure(): Promise<void> {
    await current!.sync();
    await files.syncFolder(folder);
    const before = left;
    left = undefined;
    if (before === undefined) return;
    await attempt(() => before.file.truncate(before.length));
    await attempt(before.file.close);
  }

  async function begin(): Promise<Begun> {
    await create();
    if (sequence() === 1) return chain.at(-1)!;
    try {
      await secure();
    } catch (fault) {
      await discard();
      throw fault;
    }
    return chain.at(-1)!;
  }

  /**
   * Cuts what it was extended by off the segment. It is enough when that is seen: the header of the segment that
   * follows says where this one ends, and all before that is durable.
   */
  async function leave(): Promise<void> {
    const file = current;
    current = undefined;
    if (file === undefined) return;
    await attempt(() => file.truncate(writeAfter(end())));
    left = { file, length: writeAfter(end()) + followedBytes };
  }

  async function extend(bytes: number): Promise<void> {
    if (bytes <= extendedTo) return;
    const ahead = Math.ceil(bytes / extentBytes) * extentBytes;
    await current!.truncate(ahead);
    extendedTo = ahead;
  }

  /**
   * Cuts the segment behind the sector of its last good record, which is not touched; answers
   * whether the cut is on the medium. All that was written since the last sync is gone with it, so
   * the next write may come in its place.
   */
  function cut(): Promise<boolean> {
    extendedTo = 0;
    return attempt(async () => {
      await current!.truncate(writeAfter(end()));
      await current!.sync();
    });
  }

  /**
   * After a failed write the medium may hold any part of it. Where the segment ends is made durable
   * before anybody is told: by cutting it, or, where that fails too, by the header of another one.
   */
  async function giveUp(): Promise<boolean> {
    if (await cut()) return true;
    await attempt(current!.close);
    current = undefined;
    return await attempt(begin);
  }

  /**
   * Undoes a segment that was being begun. A failed sync may have lost its header, so nothing is
   * ever written to it again; the next one has its number and its name. Answers whether no power
   * cut can bring back what was written to it.
   */
  async function discard(): Promise<boolean> {
    const file = current!;
    const { name } = chain.pop()!;
    current = undefined;
    const isEmpty = await attempt(async () => {
      await file.truncate(0);
      await file.sync();
    });
    await attempt(file.close);
    const isGone = await attempt(() => files.remove(`${folder}/${name}`));
    return isEmpty || isGone && await attempt(() => files.syncFolder(folder));
  }

  /** Whether the next write begins a segment. */
  function isAtEnd(): boolean {
    return current === undefined || end() >= segmentBytes && end() > recordsFrom;
  }

  async function write(piece: readonly RecordBytes[]): Promise<void> {
    let isNew = false;
    try {
      await open();
      if (isAtEnd()) {
        await create();
        isNew = sequence() > 1;
      }
      await extend(writeAfter(end()) + storedBytes(...piece));
      const spot = { file: current!, salt: chain.at(-1)!.salt, end: end() };
      const written = await writePiece(spot, piece);
      if (isNew) await secure();
      else await current!.sync();
      expectSegment();
      chain.at(-1)!.bytes = written;
    } catch (fault) {
      const where = `${folder}, segment ${sequence()}`;
      // Without a segment, none could be begun, so nothing was written.
      const certain = current === undefined || await (isNew ? discard() : giveUp());
      const doubt = certain ? "" : "; it may be found after a restart, as the refusal failed too";
      const why = `${describeFault(fault)} (${where})${doubt}`;
      throw new StorageError("notStored", `could not be stored: ${why}`, certain, { cause: fault });
    }
  }

  async function probe(): Promise<void> {
    await open();
    if (isAtEnd()) await begin();
    try {
      const from = writeAfter(end());
      await extend(from + probeBytes);
      await writeFully(current!, new Uint8Array(probeBytes), from);
      await current!.sync();
      expectSegment();
    } catch (fault) {
      await cut();
      throw fault;
    }
  }

  async function close(): Promise<void> {
    const file = current;
    current = undefined;
    if (prepared !== undefined) await attempt(prepared.file.close);
    if (left !== undefined) await attempt(left.file.close);
    if (file === undefined) return;
    // All up to the end was made durable by its writes, and what failed behind it by a cut.
    await attempt(async () => {
      await file.truncate(writeAfter(end()));
      await file.truncate(writeAfter(end()) + closedBytes);
    });
    await attempt(file.close);
  }

  return {
    open,
    get isOpen() {
      return isOpen;
    },
    prepare,
    follow,
    probe,
    write,
    begin,
    close,
  };
}

async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch {
    return false;
  }
}
