/**
 * A checkpoint: the records that rebuild a state, with nothing of how it came about. The log asks for
 * one when most of it is history, and takes the records bit by bit; the state is a value, so the
 * picture stays that of one moment while the console goes on.
 *
 * @module
 */
import { events } from "./events.ts";
import type { RecordBytes } from "./ports.ts";
import { encodeRecord } from "./record.ts";
import type { State } from "./state.ts";

/**
 * The records of a state, each small: one per user, snapshot and picture, one per branch of the tree of
 * which values are kept. They come to the same under every configuration as the history that they stand
 * for.
 */
export function* checkpointRecords(state: State): Generator<RecordBytes> {
  for (const { log } of events.values()) {
    for (const event of log?.checkpoint(state) ?? []) yield encodeRecord([event]);
  }
}
