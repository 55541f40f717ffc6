import type { EventDefinition, Note } from "../event.ts";
import { changesSnapshots } from "./changes.ts";
import { snapshotRecord } from "./snapshot-record.ts";
import { type Snapshot, snapshotKey } from "./snapshot.ts";

/** A snapshot was added, or the snapshot of that id was replaced. */
export interface SnapshotWritten {
  readonly type: "snapshotwritten";
  readonly snapshot: Snapshot;
}

/**
 * The event is durable. A checkpoint has one of these events for each snapshot, except for factory
 * snapshots, which are in the configuration.
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

/**
 * Notes the changes of a snapshot for the audit trail, with the size of its content instead of the
 * content.
 */
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
