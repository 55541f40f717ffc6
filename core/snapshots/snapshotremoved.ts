import { type EventDefinition, nothing, plainJson } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";

/** A snapshot was removed. */
export interface SnapshotRemoved {
  readonly type: "snapshotremoved";
  readonly id: string;
}

/**
 * It is durable: a removed snapshot must not come back with a restart. A checkpoint has only the
 * snapshots that are left, and so nothing of it.
 */
export const snapshotremoved: EventDefinition<SnapshotRemoved> = {
  reduce: (state, { id }): State => ({ ...state, snapshots: without(state.snapshots, id) }),
  log: { ...plainJson, checkpoint: nothing },
};
