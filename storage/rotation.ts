/**
 * The segment in use, and the change to the next one.
 *
 * @module
 */
import { closedBytes, followedBytes, recordsFrom } from "./format.ts";
import type { LogFile, LogMedium } from "./log-medium.ts";
import { writeHeader } from "./records.ts";
import {
  cut,
  discard,
  endOf,
  expectLast,
  expectThere,
  nextSegment,
  type Segment,
  succeeds,
} from "./segment.ts";

/** Makes the rotation of a log, which has no segment in use yet. */
export function createRotation(medium: LogMedium) {
  const { files, folder, segmentBytes, chain } = medium;
  let current: Segment | undefined;
  /**
   * The previous segment, until the current one is on the medium; then its length is set to say so.
   */
  let previous: Segment | undefined;

  /**
   * Goes on with a new segment, whose header and name become durable together with its first write.
   * Only the first segment of a log is made durable in advance: without a file before it, a lost
   * header would make the log look new.
   */
  async function rotate(): Promise<Segment> {
    if (current === undefined) await expectLast(medium);
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
   * Cuts off the bytes by which the segment was lengthened. The cut need not be durable: the header
   * of the next segment states where the records of this one end, and all before that is durable.
   */
  async function leave(): Promise<void> {
    if (current === undefined) return;
    const segment = current;
    expectThere(medium, segment);
    current = undefined;
    await succeeds(() => segment.file.truncate(endOf(segment)));
    previous = segment;
  }

  /** Makes a segment that was begun durable, with all that was written to it. */
  async function secure({ file }: Segment): Promise<void> {
    await file.sync();
    await files.syncFolder(folder);
    if (previous === undefined) return;
    const before = previous;
    previous = undefined;
    await succeeds(() => before.file.truncate(endOf(before) + followedBytes));
    await succeeds(before.file.close);
  }

  /** Does the work that begins a segment; if that fails, the segment is undone. */
  async function orDrop(segment: Segment, work: () => Promise<void>): Promise<Segment> {
    try {
      await work();
      return segment;
    } catch (fault) {
      await drop(segment);
      throw fault;
    }
  }

  /** Undoes a segment that was begun; returns whether no power cut can bring its content back. */
  function drop(segment: Segment): Promise<boolean> {
    chain.pop();
    current = undefined;
    return discard(medium, segment);
  }

  /** Begins a new segment; resolves with it once its header and its name are durable. */
  async function begin(): Promise<LogFile> {
    const segment = await rotate();
    if (segment.entry.sequence > 1) await orDrop(segment, () => secure(segment));
    return segment.entry;
  }

  return {
    /** The segment that was begun last; undefined where none is in use. */
    get current(): Segment | undefined {
      return current;
    },
    /** Whether the next write begins a segment. */
    get isAtEnd(): boolean {
      if (current === undefined) return true;
      const { bytes } = current.entry;
      return bytes >= segmentBytes && bytes > recordsFrom;
    },
    /** Goes on with a segment that is the last of the log. */
    use(segment: Segment): void {
      current = segment;
    },
    rotate,
    secure,
    drop,
    begin,
    /**
     * After a failed write the medium may hold any part of it. The end of the segment is made
     * durable before the failure is reported: by cutting the segment, or, if that fails too, by the
     * header of another segment. Returns whether one of these succeeded.
     */
    async giveUp(segment: Segment): Promise<boolean> {
      if (await cut(segment)) return true;
      await succeeds(segment.file.close);
      current = undefined;
      return await succeeds(begin);
    },
    /** Closes the segment, and marks it as closed by its length. */
    async close(): Promise<void> {
      const segment = current;
      current = undefined;
      if (previous !== undefined) await succeeds(previous.file.close);
      if (segment === undefined) return;
      // All up to the end was made durable by its writes, and what failed behind it by a cut.
      await succeeds(async () => {
        await segment.file.truncate(endOf(segment));
        await segment.file.truncate(endOf(segment) + closedBytes);
      });
      await succeeds(segment.file.close);
    },
  };
}
