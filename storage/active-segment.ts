/**
 * The active segment: where the log grows, and what happens when that fails.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { fileName } from "./format.ts";
import type { LogFile, LogMedium } from "./log-medium.ts";
import { writeHeader } from "./records.ts";
import { openLast, removeLeftovers } from "./recovered-end.ts";
import type { Recovered } from "./recovery.ts";
import { createRotation } from "./rotation.ts";
import {
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
  const { files, folder, chain } = medium;
  const leftovers = { stale: new Set([...unfinished, ...stale]), quarantined };
  const rotation = createRotation(medium);
  let isOpen = false;
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
    if (file !== undefined) rotation.use({ file, entry: chain.at(-1)!, extent: 0 });
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
    const segment = prepared!;
    const { name } = segment.entry;
    await files.rename(`${folder}/${name}.new`, `${folder}/${name}`);
    await files.syncFolder(folder);
    chain.push(segment.entry);
    rotation.use(segment);
    prepared = undefined;
    isOpen = true;
  }

  /** Begins a new segment; resolves with it once it is safe. */
  async function begin(): Promise<LogFile> {
    await open();
    return await rotation.begin();
  }

  /** Writes one piece of records; resolves once durable. When it rejects, none of them is there. */
  async function write(piece: readonly RecordBytes[]): Promise<void> {
    let isNew = false;
    try {
      await open();
      if (rotation.isAtEnd) isNew = (await rotation.rotate()).entry.sequence > 1;
      const segment = rotation.current!;
      const end = await writeRecords(segment, piece);
      if (isNew) await rotation.secure(segment);
      else await segment.file.sync();
      expectThere(segment);
      segment.entry.bytes = end;
    } catch (fault) {
      throw await refusal(fault, isNew);
    }
  }

  /** Undoes a write that failed; returns what it rejects with. */
  async function refusal(fault: unknown, isNew: boolean): Promise<StorageError> {
    const where = `${folder}, segment ${chain.at(-1)?.sequence ?? 0}`;
    const { current } = rotation;
    // Without a segment, none could be begun, so nothing was written.
    const certain = current === undefined ||
      await (isNew ? rotation.drop(current) : rotation.giveUp(current));
    const doubt = certain ? "" : "; it may be found after a restart, as the refusal failed too";
    const why = `${describeFault(fault)} (${where})${doubt}`;
    return new StorageError("notStored", `could not be stored: ${why}`, certain, { cause: fault });
  }

  return {
    open,
    /** Whether that is done. */
    get isOpen(): boolean {
      return isOpen;
    },
    prepare,
    follow,
    /** Resolves when the medium has taken something, after it had failed. */
    async probe(): Promise<void> {
      await open();
      if (rotation.isAtEnd) await begin();
      await probe(rotation.current!);
    },
    write,
    begin,
    async close(): Promise<void> {
      const { file } = prepared ?? {};
      if (file !== undefined) await succeeds(file.close);
      await rotation.close();
    },
  };
}
