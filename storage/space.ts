/**
 * The space that a log takes, and when it is compacted to take less.
 *
 * @module
 */

/** What a log takes, in bytes. */
export interface Space {
  /** All files of the log. */
  readonly total: number;
  /** The last checkpoint: what the state took when it was last written down. 0 before the first. */
  readonly live: number;
}

/**
 * Says whether a checkpoint is due: when dead bytes exceed half of the live ones and half a
 * segment.
 *
 * This bounds space: while the checkpoint is written, the old log (1.5 x live + segment / 2) and
 * the new state (live) are both there, which leaves half a segment for what is appended meanwhile
 * until 2.5 x live + one segment are reached.
 *
 * It bounds wear too: every (live + segment) / 2 appended bytes cost one checkpoint of `live`
 * bytes, so at most 3 bytes are written for each that is appended, and hardly more than 1 when the
 * state is small beside a segment.
 */
export function isCheckpointDue({ total, live }: Space, segmentBytes: number): boolean {
  return total - live > (live + segmentBytes) / 2;
}
