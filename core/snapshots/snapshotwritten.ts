import { type EventDefinition, plainJson } from "../event.ts";
import { changesSnapshots } from "./changes.ts";
import { contentAsJson } from "./content.ts";
import { type Snapshot, snapshotKey } from "./snapshot.ts";

/** A snapshot was made, or the one with its id replaced. */
export interface SnapshotWritten {
  readonly type: "snapshotwritten";
  readonly snapshot: Snapshot;
}

/**
 * It is durable. A checkpoint has one for each snapshot as it is then, but not for factory ones,
 * which the configuration brings.
 */
export const snapshotwritten: EventDefinition<SnapshotWritten> = {
  ...changesSnapshots((snapshots, { snapshot }) => {
    snapshots.set(snapshotKey(snapshot), snapshot);
  }),
  log: {
    ...plainJson,
    ...contentAsJson,
    *checkpoint({ snapshots }) {
      for (const snapshot of snapshots.values()) {
        if (!snapshot.factory) yield { type: "snapshotwritten", snapshot };
      }
    },
  },
};
