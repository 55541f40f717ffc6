import { type EventDefinition, nothing, plainJson } from "../event.ts";
import { changesSnapshots } from "./changes.ts";
import { noteSnapshot } from "./snapshotwritten.ts";

/** The attributes of a snapshot were changed, not its content. */
export interface SnapshotModified {
  readonly type: "snapshotmodified";
  readonly id: string;
  readonly name: string;
  readonly readgroups: number;
  readonly writegroups: number;
}

/**
 * The event is durable. A checkpoint has the whole snapshot as it is then, so it needs none of
 * these events.
 */
export const snapshotmodified: EventDefinition<SnapshotModified> = {
  ...changesSnapshots((snapshots, { id, name, readgroups, writegroups }) => {
    const before = snapshots.get(id);
    if (before !== undefined) snapshots.set(id, { ...before, name, readgroups, writegroups });
  }),
  log: { ...plainJson, ifNotStored: "refused", checkpoint: nothing },
  tell({ snapshots }, { type: _, id, ...attributes }, note) {
    const before = snapshots.get(id);
    if (before !== undefined) noteSnapshot(before, { ...before, ...attributes }, note);
  },
};
