/**
 * A checkpoint is the records that rebuild a state, with nothing of how it came about. The log asks
 * for one when most of it is history, and takes the records bit by bit. The state is a value, so
 * the picture stays that of one moment while the console goes on.
 *
 * @module
 */
import { events } from "./events.ts";
import type { RecordBytes } from "./ports.ts";
import { encodeRecord } from "./record.ts";
import type { State } from "./state.ts";

/**
 * Makes the records of a state, each small: one for each user, snapshot and picture, one for each
 * branch of the tree of which values are kept. Under every configuration they come to the same as
 * the history that they stand for.
 */
export function* checkpointRecords(state: State): Generator<RecordBytes> {
  for (const { log } of events.values()) {
    for (const event of log?.checkpoint(state) ?? []) yield encodeRecord([event]);
  }
}
