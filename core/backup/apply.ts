/**
 * Applies a backup that was read: all of it or nothing.
 *
 * @module
 */
import type { Command, Done, Outcome } from "../command.ts";
import type { Console } from "../console.ts";
import { isRefusal } from "../errors.ts";
import type { Pacer } from "../ports.ts";
import { makeUuid } from "../snapshots/savesnapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Actor } from "../users/user.ts";
import type { BackupContents } from "./read-backup.ts";
import { type PreparedRestore, prepareRestore, restore, restoreRefusal } from "./restore.ts";

/** Snapshots that may be on their way to the medium at the same time. */
const IN_FLIGHT = 32;

/**
 * Restores what was read: its snapshots are staged one after the other, and then all comes into
 * force as one event. Refuses what `prepareRestore` and `restore` refuse, and what could not be
 * stored (12); nothing is changed then.
 */
export async function applyBackup(
  console: Console,
  contents: BackupContents,
  actor: Actor,
  pacer: Pacer,
): Promise<Outcome<Done>> {
  const prepared = await pacer.run(prepareRestore(console.state, contents));
  if (isRefusal(prepared)) return prepared;
  const snapshots = Object.values(contents.snapshots).flat();
  if (snapshots.length === 0) return await console.dispatch(restore(prepared, ""), actor);
  const begun = await console.dispatch(begin(prepared), actor);
  if (isRefusal(begun)) return begun;
  const { id } = begun.result;
  const underWay: Promise<Outcome<Done>>[] = [];
  let outcome: Outcome<Done> = { result: {} };
  for (const snapshot of snapshots) {
    underWay.push(Promise.resolve(console.dispatch(stage(id, snapshot), actor)));
    await pacer.pause();
    if (underWay.length >= IN_FLIGHT) outcome = await underWay.shift()!;
    if (isRefusal(outcome)) break;
  }
  const staged = [outcome, ...await Promise.all(underWay)];
  outcome = staged.find(isRefusal) ?? await console.dispatch(restore(prepared, id), actor);
  if (isRefusal(outcome)) console.dispatch(giveUp(id), actor);
  return outcome;
}

/** Refuses what would be refused in the end, before anything is written. */
function begin(prepared: PreparedRestore): Command<{ readonly id: string }> {
  return (state, _actor, { random }) =>
    restoreRefusal(state, prepared) ?? { events: [], result: { id: makeUuid(random) } };
}

function stage(restore: string, snapshot: Snapshot): Command<Done> {
  return () => ({ events: [{ type: "snapshotstaged", restore, snapshot }], result: {} });
}

function giveUp(restore: string): Command<Done> {
  return () => ({ events: [{ type: "restoregivenup", restore }], result: {} });
}
