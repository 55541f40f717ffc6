import { type EventDefinition, nothing, plainJson } from "../event.ts";
import { without } from "../without.ts";

/** A snapshot was removed. */
export interface SnapshotRemoved {
  readonly type: "snapshotremoved";
  readonly id: string;
}

/** Durable. */
export const snapshotremoved: EventDefinition<SnapshotRemoved> = {
  reduce: (state, { id }) => ({ ...state, snapshots: without(state.snapshots, id) }),
  log: { ...plainJson, checkpoint: nothing },
};
