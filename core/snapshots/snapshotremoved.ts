import { type EventDefinition, nothing, plainJson } from "../event.ts";
import { changesSnapshots } from "./changes.ts";
import { noteSnapshot } from "./snapshotwritten.ts";

/** A snapshot was removed. */
export interface SnapshotRemoved {
  readonly type: "snapshotremoved";
  readonly id: string;
}

/**
 * The event is durable: a removed snapshot must not come back with a restart. A checkpoint has only
 * the remaining snapshots, so it needs none of these events.
 */
export const snapshotremoved: EventDefinition<SnapshotRemoved> = {
  ...changesSnapshots((snapshots, { id }) => void snapshots.delete(id)),
  log: { ...plainJson, ifNotStored: "refused", checkpoint: nothing },
  tell: ({ snapshots }, { id }, note) => noteSnapshot(snapshots.get(id), undefined, note),
};
