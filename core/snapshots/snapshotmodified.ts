import { type EventDefinition, nothing, plainJson } from "../event.ts";
import type { State } from "../state.ts";

/** The attributes of a snapshot were changed, not its content. */
export interface SnapshotModified {
  readonly type: "snapshotmodified";
  readonly id: string;
  readonly name: string;
  readonly readgroups: number;
  readonly writegroups: number;
}

/**
 * It is durable. A checkpoint has the whole snapshot as it is then, and so nothing of this event.
 */
export const snapshotmodified: EventDefinition<SnapshotModified> = {
  reduce(state, { id, name, readgroups, writegroups }): State {
    const before = state.snapshots.get(id);
    if (before === undefined) return state;
    const snapshot = { ...before, name, readgroups, writegroups };
    return { ...state, snapshots: new Map(state.snapshots).set(id, snapshot) };
  },
  log: { ...plainJson, checkpoint: nothing },
};
