import type { EventDefinition, Note } from "../event.ts";
import { changesSnapshots } from "./changes.ts";
import { snapshotRecord } from "./snapshot-record.ts";
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
    ...snapshotRecord,
    ifNotStored: "refused",
    *checkpoint({ snapshots }) {
      for (const snapshot of snapshots.values()) {
        if (!snapshot.factory) yield { type: "snapshotwritten", snapshot };
      }
    },
  },
  tell({ snapshots }, { snapshot }, note) {
    noteSnapshot(snapshots.get(snapshotKey(snapshot)), snapshot, note);
  },
};

/** Notes for the audit trail what became of a snapshot: all but its content, whose size it says. */
export function noteSnapshot(
  before: Snapshot | undefined,
  after: Snapshot | undefined,
  note: Note,
): void {
  const one = (after ?? before)!;
  note(`/snapshots/${snapshotKey(one)}`, toldOf(before), toldOf(after));
}

function toldOf(snapshot: Snapshot | undefined): object | undefined {
  if (snapshot === undefined) return undefined;
  const { id: _, content, ...rest } = snapshot;
  return { ...rest, characters: content.length };
}
