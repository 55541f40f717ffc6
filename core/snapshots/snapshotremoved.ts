import { type EventDefinition, nothing, plainJson } from "../event.ts";

/** A snapshot was removed. */
export interface SnapshotRemoved {
  readonly type: "snapshotremoved";
  readonly id: string;
}

/** Durable. */
export const snapshotremoved: EventDefinition<SnapshotRemoved> = {
  type: "snapshotremoved",
  reduce(state, { id }) {
    const snapshots = new Map(state.snapshots);
    snapshots.delete(id);
    return { ...state, snapshots };
  },
  log: { ...plainJson, checkpoint: nothing },
};
