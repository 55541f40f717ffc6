/**
 * The space that a log takes, and the conditions for its compaction.
 *
 * @module
 */
import { sectorBytes } from "./format.ts";

/** The space of a log in bytes. */
export interface Space {
  /** The size of the checkpoint and the segments. */
  readonly total: number;
  /**
   * The size of the last checkpoint, which is that of the state at that time; 0 before the first.
   */
  readonly live: number;
}

/**
 * Says whether a checkpoint is due: when the bytes appended since the last one exceed half of the
 * live bytes and half a segment.
 *
 * It bounds space, with the shares below, as `docs/storage.md` says.
 *
 * It bounds wear too: every (live + segment) / 2 appended bytes cost one checkpoint of `live`
 * bytes, so at most 3 bytes are written for each that is appended, and hardly more than 1 when the
 * state is small beside a segment.
 */
export function isCheckpointDue({ total, live }: Space, segmentBytes: number): boolean {
  return total - live > (live + segmentBytes) / 2;
}

/** Maximum number of files of a log in addition to the number that full segments would need. */
const filesBeside = 16;

/**
 * Says whether a checkpoint is due because the log has many files that hold little: each failed
 * write whose segment could not be cut leaves a segment behind.
 */
export function hasManyFiles(files: number, { total }: Space, segmentBytes: number): boolean {
  return files > filesBeside + total / segmentBytes;
}

/**
 * Returns the minimum gain, in bytes, for which a full log is compacted when it is tried again: a
 * sector if not even small records find space, else the size that is released for them at a time;
 * and at least a 64th of a large state, so that it is not rewritten for a tiny gain.
 */
export function worthCompacting(
  { live }: Space,
  { slack, lent }: Shares,
  takesSmall: boolean,
): number {
  return Math.min(slack, Math.max(takesSmall ? lent : sectorBytes, live / 64));
}

/** The space for each purpose in bytes. */
export interface Shares {
  /** The bytes that may be appended while a checkpoint is being written. */
  readonly meanwhile: number;
  /**
   * The size of the reserve beyond the next checkpoint. On a full medium it is used for small
   * records, so that levels, labels and removals are stored until a compaction has freed space.
   */
  readonly slack: number;
  /** The part of the slack that is released at a time for small records. */
  readonly lent: number;
}

/** Returns the shares of a log whose segments are closed at `segmentBytes`. */
export function sharesOf(segmentBytes: number): Shares {
  const part = (of: number) => Math.ceil(segmentBytes / of);
  return { meanwhile: part(4), slack: part(8), lent: part(32) };
}
