/**
 * A checkpoint: the records that rebuild a state, with nothing of how it came about. The log asks for
 * one when most of it is history, and takes the records bit by bit; the state is a value, so the
 * picture stays that of one moment while the console goes on.
 *
 * @module
 */
import { stagedFor } from "./backup/staged.ts";
import type { RecordBytes } from "./ports.ts";
import { encodeRecord, type RecordedEvent } from "./record.ts";
import type { State } from "./state.ts";
import { keptPieces } from "./tree/kept.ts";

/**
 * The records of a state, each small: one per user, snapshot and picture, one per branch of the tree of
 * which values are kept. They come to the same under every configuration as the history that they stand
 * for.
 */
export function* checkpointRecords(state: State): Generator<RecordBytes> {
  for (const event of events(state)) yield encodeRecord([event]);
}

function* events(state: State): Generator<RecordedEvent> {
  const { settings, tls, unwritten } = state;
  if (unwritten !== undefined) {
    yield { type: "restored", configuration: unwritten };
  }
  for (const [tag, document] of settings) {
    yield { type: "restored", settings: { [tag]: document } };
  }
  if (tls !== undefined) yield { type: "restored", tls };
  for (const restore of state.staged.keys()) {
    for (const snapshot of stagedFor(state.staged, restore)) {
      yield { type: "snapshotstaged", restore, snapshot };
    }
  }
  for (const user of state.users.values()) yield { type: "userwritten", user };
  for (const snapshot of state.snapshots.values()) {
    if (!snapshot.factory) yield { type: "snapshotwritten", snapshot };
  }
  for (const [id, picture] of state.pictures) yield { type: "picturewritten", id, ...picture };
  for (const patch of keptPieces(state.stored)) yield { type: "treechanged", patch };
}
