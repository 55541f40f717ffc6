/**
 * Snapshots on their way into a restore. Written one by one they hold the event loop for a moment
 * each, where all in one record would hold it for as long as there are many; until the restore that
 * they belong to is written after them they mean nothing, and a restart forgets them.
 *
 * @module
 */
import type { Snapshot } from "../snapshots/snapshot.ts";

/** A snapshot of a restore is on the medium, and not in force. */
export interface SnapshotStaged {
  readonly type: "snapshotstaged";
  /** The restore that it belongs to. */
  readonly restore: string;
  readonly snapshot: Snapshot;
}

/**
 * A restore will not be: what was staged for it is worth nothing. Volatile, for it may have been given
 * up as the medium is full, and a restart finds nothing staged in any case.
 */
export interface RestoreGivenUp {
  readonly type: "restoregivenup";
  readonly restore: string;
}

/** A snapshot that is staged, and those that were before it: so that one more costs no copy of all. */
interface Chain {
  readonly snapshot: Snapshot;
  readonly before: Chain | undefined;
}

/** The snapshots of restores that are under way. */
export type Staged = ReadonlyMap<string, Chain>;

/** The snapshots that are staged for a restore, in their order. */
export function stagedFor(staged: Staged, restore: string): Snapshot[] {
  const snapshots: Snapshot[] = [];
  for (let one = staged.get(restore); one !== undefined; one = one.before) {
    snapshots.push(one.snapshot);
  }
  return snapshots.reverse();
}

/** What is staged after an event. */
export function reduceStaged(staged: Staged, event: SnapshotStaged | RestoreGivenUp): Staged {
  const next = new Map(staged);
  if (event.type === "restoregivenup") next.delete(event.restore);
  else next.set(event.restore, { snapshot: event.snapshot, before: staged.get(event.restore) });
  return next;
}
