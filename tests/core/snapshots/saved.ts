/**
 * Snapshots for tests.
 *
 * @module
 */
import type { Console } from "../../../core/console.ts";
import { isRefusal } from "../../../core/errors.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { type SaveSnapshot, saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { setSnapshot, verifySnapshot } from "../../../core/snapshots/setsnapshot.ts";
import type { SnapshotData, VerifiedSnapshot } from "../../../core/snapshots/snapshotdata.ts";
import type { Actor } from "../../../core/users/user.ts";
import { actor, codeOf, granted, resultOf } from "../actors.ts";

/** Saves a new snapshot as the admin and answers its id. */
export async function saved(console: Console, what: Partial<SaveSnapshot>): Promise<string> {
  const filled = { type: 2, id: "", name: "A", writegroups: 255, readgroups: 0, ...what } as const;
  await resultOf(console, saveSnapshot(filled), actor(console, "admin"));
  return [...console.state.snapshots.keys()].at(-1)!;
}

/** The `snapshotdata` of a snapshot; throws when it is refused. */
export async function dataOf(
  console: Console,
  id: string,
  by: Actor = actor(console, "admin"),
  mixer = 0,
): Promise<SnapshotData> {
  return granted(await getSnapshot(console.state, { id, mixer }, by)).snapshotdata;
}

/** The snapshot in `snapshotdata`; throws when it is refused. */
export async function verified(
  { state }: Pick<Console, "state">,
  data: unknown,
): Promise<VerifiedSnapshot> {
  return granted(await verifySnapshot(state, data, withoutPauses));
}

/** Verifies `snapshotdata` and sets it; returns the error code, 0 when it was carried out. */
export async function codeOfSetting(
  console: Console,
  data: unknown,
  by: Actor,
  mixer?: number,
): Promise<number> {
  const given = await verifySnapshot(console.state, data, withoutPauses);
  return isRefusal(given) ? given.code : await codeOf(console, setSnapshot(given, mixer), by);
}
