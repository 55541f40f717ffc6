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

/** A restore will not be: what was staged for it is worth nothing. */
export interface RestoreGivenUp {
  readonly type: "restoregivenup";
  readonly restore: string;
}

/** The snapshots of restores that are under way, in their order. */
export type Staged = ReadonlyMap<string, readonly Snapshot[]>;

/** What is staged after an event. */
export function reduceStaged(staged: Staged, event: SnapshotStaged | RestoreGivenUp): Staged {
  const next = new Map(staged);
  if (event.type === "restoregivenup") next.delete(event.restore);
  else next.set(event.restore, [...staged.get(event.restore) ?? [], event.snapshot]);
  return next;
}
