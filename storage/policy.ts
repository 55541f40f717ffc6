/**
 * When to compact.
 *
 * @module
 */

import type { Space } from "./contract.ts";

/**
 * Whether a checkpoint is due: dead bytes exceed half of the live ones and half a segment.
 *
 * While a checkpoint is written the folder holds the old log and the new state: at most
 * 1.5 x live + segment / 2 + live. With what is appended meanwhile (half a segment at most, or it
 * is a state so large that the promise is one for a slower pen) that stays within 2.5 x live + one
 * segment. Every live / 2 + segment / 2 appended bytes cost one checkpoint of live bytes, so no more than
 * 3 bytes are ever written for one that is appended, and with a state that is small beside a
 * segment, hardly more than 1.
 */
export function isCheckpointDue({ total, live }: Space, segmentBytes: number): boolean {
  return total - live > (live + segmentBytes) / 2;
}
