/**
 * Snapshots for tests.
 *
 * @module
 */
import type { Console } from "../../../core/console.ts";
import { isRefusal } from "../../../core/errors.ts";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { type SaveSnapshot, saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import type { SnapshotData } from "../../../core/snapshots/snapshotdata.ts";
import type { Actor } from "../../../core/users/user.ts";
import { actor, resultOf } from "../actors.ts";

/** Saves a new snapshot as the admin and answers its id. */
export async function saved(console: Console, what: Partial<SaveSnapshot>): Promise<string> {
  const filled = { type: 2, id: "", name: "A", writegroups: 255, readgroups: 0, ...what } as const;
  await resultOf(console, saveSnapshot(filled), actor(console, "admin"));
  return [...console.state.snapshots.keys()].at(-1)!;
}

/** The `snapshotdata` of a snapshot; throws when it is refused. */
export function dataOf(
  console: Console,
  id: string,
  by: Actor = actor(console, "admin"),
  mixer = 0,
): SnapshotData {
  const got = getSnapshot(console.state, { id, mixer }, by);
  if (isRefusal(got)) throw new Error(`${got.code}: ${got.message}`);
  return got.snapshotdata;
}
