import { type EventDefinition, tellsNothing } from "../event.ts";
import { snapshotRecord } from "../snapshots/snapshot-record.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { State } from "../state.ts";

/** A snapshot of a restore was stored, and is not in force yet. */
export interface SnapshotStaged {
  readonly type: "snapshotstaged";
  /** The id of its restore. */
  readonly restore: string;
  readonly snapshot: Snapshot;
}

/** The event is durable. */
export const snapshotstaged: EventDefinition<SnapshotStaged> = {
  reduce(state, { restore, snapshot }): State {
    const all = [...state.staged.get(restore) ?? [], snapshot];
    return { ...state, staged: new Map(state.staged).set(restore, all) };
  },
  log: {
    ...snapshotRecord,
    ifNotStored: "refused",
    *checkpoint({ staged }) {
      for (const [restore, snapshots] of staged) {
        for (const snapshot of snapshots) yield { type: "snapshotstaged", restore, snapshot };
      }
    },
  },
  tell: tellsNothing,
};
