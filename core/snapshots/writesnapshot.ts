import type { Decision, Done } from "../command.ts";
import { growthRefusal } from "../growth.ts";
import type { State } from "../state.ts";
import { type Snapshot, snapshotKey } from "./snapshot.ts";

/**
 * Decides that a snapshot is made, or the one with its id replaced. Refused (11): what makes more
 * of its type than there may be, or more bytes (`limits.snapshots`, `limits.stateBytes`).
 */
export function writeSnapshot(state: State, snapshot: Snapshot): Decision<Done> {
  const snapshots = new Map(state.snapshots).set(snapshotKey(snapshot), snapshot);
  return growthRefusal(state, { ...state, snapshots }, state.configuration) ??
    { events: [{ type: "snapshotwritten", snapshot }], result: {} };
}
