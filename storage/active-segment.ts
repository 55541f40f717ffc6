/**
 * The active segment, to which records are appended, and the handling of failed writes.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { fileName, recordsFrom } from "./format.ts";
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
import { describeFault, MAY_BE_FOUND, StorageError } from "./storage-error.ts";

/** The active segment. Its owner makes one call at a time. */
export type ActiveSegment = ReturnType<typeof createActiveSegment>;

/** Makes the active segment of a recovered log. */
export function createActiveSegment(
  medium: LogMedium,
  { stale, unfinished, recovery: { quarantined } }: Omit<Recovered, "files">,
) {
  const { files, folder, chain } = medium;
  const leftovers = { stale: new Set([...unfinished, ...stale]), quarantined };
  const rotation = createRotation(medium);
  let isOpen = false;
  /** The segment that `prepare` has made, without its final name. */
  let prepared: Segment | undefined;

  /**
   * Makes the recovered log safe to append to, once: cuts off an incomplete end, makes sure that
   * the rest is on the medium, and removes stale files. If it rejects, the next call tries again.
   */
  async function open(): Promise<void> {
    if (isOpen) return;
    await removeLeftovers(medium, leftovers);
    const file = await openLast(medium);
    if (file !== undefined) rotation.use({ file, entry: chain.at(-1)!, extent: 0 });
    isOpen = true;
  }

  /**
   * Prepares another way to open the log, for a medium without space for `open`: by a checkpoint of
   * all recovered records. Resolves with the segment that will follow the checkpoint. It does not
   * have its final name yet, because that would mean that the recovered segment is complete.
   */
  async function prepare(): Promise<LogFile> {
    await prepared?.file.close();
    prepared = undefined;
    await removeLeftovers(medium, leftovers);
    const { entry, header } = nextSegment(medium);
    const { name, sequence } = entry;
    // If this fails, a power cut must not bring these names back after the recovered segment has
    // grown. The checkpoint alone, without its segment, is ignored.
    for (const one of [`${name}.new`, name, fileName({ kind: "checkpoint", sequence })]) {
      leftovers.stale.add(one);
    }
    const file = await files.create(`${folder}/${name}.new`);
    prepared = { file, entry, extent: 0 };
    await writeHeader(file, header);
    await file.sync();
    // The name of the recovered segment may be new, too, and must survive a power cut once the
    // checkpoint has its name: without either segment the checkpoint would follow nothing.
    await files.syncFolder(folder);
    return entry;
  }

  /** Opens the log with the prepared segment, once the checkpoint has its name. */
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

  /**
   * Begins a new segment; resolves with it once its header and its name are on the medium. The
   * segment that a failed compaction began serves the next one, if it holds no record yet.
   */
  async function begin(): Promise<LogFile> {
    await open();
    const { current } = rotation;
    // Behind a checkpoint of the same number it cannot serve: the new one would have that name.
    if (current?.entry.bytes === recordsFrom && chain.at(-2)?.kind === "segment") {
      expectThere(medium, current);
      return current.entry;
    }
    return await rotation.begin();
  }

  /**
   * Writes some records; resolves once they are durable. If it rejects, none of them is in the log.
   */
  async function write(piece: readonly RecordBytes[]): Promise<void> {
    let isNew = false;
    try {
      await open();
      if (rotation.isAtEnd) isNew = (await rotation.rotate()).entry.sequence > 1;
      const segment = rotation.current!;
      const end = await writeRecords(segment, piece);
      if (isNew) await rotation.secure(segment);
      else await segment.file.sync();
      expectThere(medium, segment);
      segment.entry.bytes = end;
    } catch (fault) {
      throw await refusal(fault, isNew);
    }
  }

  /** Undoes a failed write; returns the error with which the write rejects. */
  async function refusal(fault: unknown, isNew: boolean): Promise<StorageError> {
    const where = `${folder}, segment ${chain.at(-1)?.sequence ?? 0}`;
    const { current } = rotation;
    // Without a current segment no segment could be begun, so nothing was written.
    const certain = current === undefined ||
      await (isNew ? rotation.drop(current) : rotation.giveUp(current));
    const doubt = certain ? "" : `; ${MAY_BE_FOUND}, because undoing the write failed too`;
    const why = `${describeFault(fault)} (${where})${doubt}`;
    return new StorageError("notStored", `the change could not be stored: ${why}`, certain, {
      cause: fault,
    });
  }

  return {
    open,
    /** Whether the log is open for writing. */
    get isOpen(): boolean {
      return isOpen;
    },
    prepare,
    follow,
    /** Writes a test after a failure; resolves if the medium has stored it. */
    async probe(): Promise<void> {
      await open();
      if (rotation.isAtEnd) await begin();
      await probe(medium, rotation.current!);
    },
    write,
    begin,
    /** Throws if the current segment is not in the folder, as when that was emptied. */
    expectThere(): void {
      if (rotation.current !== undefined) expectThere(medium, rotation.current);
    },
    async close(): Promise<void> {
      const { file } = prepared ?? {};
      if (file !== undefined) await succeeds(file.close);
      await rotation.close();
    },
  };
}
