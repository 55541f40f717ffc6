import { type EventDefinition, plainJson } from "../event.ts";
import { contentAsJson } from "../snapshots/content.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { stagedFor } from "./staged.ts";

/** A snapshot of a restore is on the medium, and not in force. */
export interface SnapshotStaged {
  readonly type: "snapshotstaged";
  /** The restore that it belongs to. */
  readonly restore: string;
  readonly snapshot: Snapshot;
}

/** Durable. */
export const snapshotstaged: EventDefinition<SnapshotStaged> = {
  reduce(state, { restore, snapshot }) {
    const chain = { snapshot, before: state.staged.get(restore) };
    return { ...state, staged: new Map(state.staged).set(restore, chain) };
  },
  log: {
    ...plainJson,
    ...contentAsJson,
    *checkpoint({ staged }) {
      for (const restore of staged.keys()) {
        for (const snapshot of stagedFor(staged, restore)) {
          yield { type: "snapshotstaged", restore, snapshot };
        }
      }
    },
  },
};
