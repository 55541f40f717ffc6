import type { Decision, Done } from "../command.ts";
import { growthRefusal } from "../growth.ts";
import type { State } from "../state.ts";
import { type Snapshot, snapshotKey } from "./snapshot.ts";

/**
 * Decides to add a snapshot, or to replace the snapshot of its id. Refuses (11) a snapshot that
 * would exceed the number of its type or the size of the state (`limits.snapshots`,
 * `limits.stateBytes`).
 */
export function writeSnapshot(state: State, snapshot: Snapshot): Decision<Done> {
  const snapshots = new Map(state.snapshots).set(snapshotKey(snapshot), snapshot);
  return growthRefusal(state, { ...state, snapshots }, state.configuration) ??
    { events: [{ type: "snapshotwritten", snapshot }], result: {} };
}
