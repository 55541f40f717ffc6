/**
 * The active segment: where the log grows, and what happens when that fails.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { closedBytes, fileName, followedBytes, recordsFrom } from "./format.ts";
import type { LogFile, LogMedium } from "./log-medium.ts";
import { writeHeader } from "./records.ts";
import type { Recovered } from "./recovery.ts";
import { openLast, removeLeftovers } from "./recovered-end.ts";
import {
  cut,
  discard,
  endOf,
  expectThere,
  nextSegment,
  probe,
  type Segment,
  succeeds,
  writeRecords,
} from "./segment.ts";
import { describeFault, StorageError } from "./storage-error.ts";

/** Where the log grows. Its owner makes one call at a time. */
export type ActiveSegment = ReturnType<typeof createActiveSegment>;

/** Makes the active segment of what was recovered. */
export function createActiveSegment(
  medium: LogMedium,
  { stale, unfinished, recovery: { quarantined } }: Omit<Recovered, "files">,
) {
  const { files, folder, segmentBytes, chain } = medium;
  const leftovers = { stale: new Set([...unfinished, ...stale]), quarantined };
  let isOpen = false;
  let current: Segment | undefined;
  /** The segment before, until the one that follows it is on the medium; its length says so then. */
  let previous: Segment | undefined;
  /** The segment that `prepare` made, which has no name yet. */
  let prepared: Segment | undefined;

  /**
   * Makes what was recovered safe to write behind, once: cuts a torn end off, makes sure that the
   * rest is on the medium, removes stale files. Where it rejects, whatever comes next tries again.
   */
  async function open(): Promise<void> {
    if (isOpen) return;
    await removeLeftovers(medium, leftovers);
    const file = await openLast(medium);
    if (file !== undefined) current = { file, entry: chain.at(-1)!, extent: 0 };
    isOpen = true;
  }

  /**
   * Prepares to open it otherwise, where the medium has no room for that: by a checkpoint of all
   * that was recovered. Resolves with the segment that is to follow it. This has no name yet, so
   * that it says nothing of the end of the recovered one.
   */
  async function prepare(): Promise<LogFile> {
    await prepared?.file.close();
    prepared = undefined;
    await removeLeftovers(medium, leftovers);
    const { entry, header } = nextSegment(medium);
    const { name, sequence } = entry;
    // Should this come to nothing, no power cut may bring the names back once the recovered segment
    // has grown. The checkpoint alone, without its segment, stands for nothing.
    for (const one of [`${name}.new`, name, fileName({ kind: "checkpoint", sequence })]) {
      leftovers.stale.add(one);
    }
    const file = await files.create(`${folder}/${name}.new`);
    prepared = { file, entry, extent: 0 };
    await writeHeader(file, header);
    await file.sync();
    return entry;
  }

  /** Opens it with the segment that was prepared, once the checkpoint has its name. */
  async function follow(): Promise<void> {
    const { name } = prepared!.entry;
    await files.rename(`${folder}/${name}.new`, `${folder}/${name}`);
    await files.syncFolder(folder);
    chain.push(prepared!.entry);
    current = prepared;
    prepared = undefined;
    isOpen = true;
  }

  /**
   * Goes on with a new segment, of which nothing is durable before its first write, name and all,
   * is. Only the first segment of a log is made durable before: without anything in front of it, a
   * lost header would make the log look new.
   */
  async function rotate(): Promise<Segment> {
    await open();
    await leave();
    const { entry, header } = nextSegment(medium);
    const segment = { file: await files.create(`${folder}/${entry.name}`), entry, extent: 0 };
    current = segment;
    chain.push(entry);
    return await orDrop(segment, async () => {
      await writeHeader(segment.file, header);
      if (entry.sequence === 1) await secure(segment);
    });
  }

  /**
   * Cuts off what the segment was lengthened by. It is enough when that is seen: the header of the
   * segment that follows says where this one ends, and all before that is durable.
   */
  async function leave(): Promise<void> {
    if (current === undefined) return;
    const segment = current;
    expectThere(segment);
    current = undefined;
    await succeeds(() => segment.file.truncate(endOf(segment)));
    previous = segment;
  }

  /** Makes what was begun durable. */
  async function secure({ file }: Segment): Promise<void> {
    await file.sync();
    await files.syncFolder(folder);
    if (previous === undefined) return;
    const before = previous;
    previous = undefined;
    await succeeds(() => before.file.truncate(endOf(before) + followedBytes));
    await succeeds(before.file.close);
  }

  /** Does the work that begins a segment; where that fails, the segment is gone again. */
  async function orDrop(segment: Segment, work: () => Promise<void>): Promise<Segment> {
    try {
      await work();
      return segment;
    } catch (fault) {
      await drop(segment);
      throw fault;
    }
  }

  function drop(segment: Segment): Promise<boolean> {
    chain.pop();
    current = undefined;
    return discard(medium, segment);
  }

  /** Begins a new segment; resolves with it once it is safe. */
  async function begin(): Promise<LogFile> {
    const segment = await rotate();
    if (segment.entry.sequence > 1) await orDrop(segment, () => secure(segment));
    return segment.entry;
  }

  /**
   * After a failed write the medium may hold any part of it. Where the segment ends is made durable
   * before anybody is told: by cutting it, or, where that fails too, by the header of another one.
   */
  async function giveUp(segment: Segment): Promise<boolean> {
    if (await cut(segment)) return true;
    await succeeds(segment.file.close);
    current = undefined;
    return await succeeds(begin);
  }

  /** Whether the next write begins a segment. */
  function isAtEnd(): boolean {
    if (current === undefined) return true;
    const { bytes } = current.entry;
    return bytes >= segmentBytes && bytes > recordsFrom;
  }

  /** Writes one piece of records; resolves once durable. When it rejects, none of them is there. */
  async function write(piece: readonly RecordBytes[]): Promise<void> {
    let isNew = false;
    try {
      await open();
      if (isAtEnd()) isNew = (await rotate()).entry.sequence > 1;
      const segment = current!;
      const end = await writeRecords(segment, piece);
      if (isNew) await secure(segment);
      else await segment.file.sync();
      expectThere(segment);
      segment.entry.bytes = end;
    } catch (fault) {
      const where = `${folder}, segment ${chain.at(-1)?.sequence ?? 0}`;
      // Without a segment, none could be begun, so nothing was written.
      const certain = current === undefined || await (isNew ? drop(current) : giveUp(current));
      const doubt = certain ? "" : "; it may be found after a restart, as the refusal failed too";
      const why = `${describeFault(fault)} (${where})${doubt}`;
      throw new StorageError("notStored", `could not be stored: ${why}`, certain, { cause: fault });
    }
  }

  async function close(): Promise<void> {
    const segment = current;
    current = undefined;
    for (const one of [prepared, previous]) {
      if (one !== undefined) await succeeds(one.file.close);
    }
    if (segment === undefined) return;
    // All up to the end was made durable by its writes, and what failed behind it by a cut.
    await succeeds(async () => {
      await segment.file.truncate(endOf(segment));
      await segment.file.truncate(endOf(segment) + closedBytes);
    });
    await succeeds(segment.file.close);
  }

  return {
    open,
    /** Whether that is done. */
    get isOpen() {
      return isOpen;
    },
    prepare,
    follow,
    /** Resolves when the medium has taken something, after it had failed. */
    async probe(): Promise<void> {
      await open();
      if (isAtEnd()) await begin();
      await probe(current!);
    },
    write,
    begin,
    close,
  };
}
