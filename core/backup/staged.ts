/**
 * Snapshots on their way into a restore. Written one by one they hold the event loop for a moment
 * each, where all in one record would hold it for as long as there are many; until the restore that
 * they belong to is written after them they mean nothing, and a restart forgets them.
 *
 * @module
 */
import type { Snapshot } from "../snapshots/snapshot.ts";

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
