/**
 * Applies a backup that was read: all of it or nothing.
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import type { Command, Console, Outcome } from "../console.ts";
import { isRefusal } from "../errors.ts";
import { makeUuid } from "../snapshots/save.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Actor } from "../users/user.ts";
import type { BackupContents } from "./read-backup.ts";
import { type PreparedRestore, prepareRestore, restore } from "./restore.ts";

/** Snapshots that may be on their way to the medium at the same time. */
const IN_FLIGHT = 32;

/**
 * Restores what was read: its snapshots are staged, one in each turn of the event loop, and then all
 * comes into force as one event. Refuses what `restore` refuses, and what could not be stored (12);
 * nothing is changed then.
 */
export async function applyBackup(
  console: Console,
  contents: BackupContents,
  actor: Actor,
  pacer: Pacer,
): Promise<Outcome<Record<string, never>>> {
  const prepared = await prepareRestore(console.state, contents, pacer);
  const snapshots = Object.values(contents.snapshots).flat();
  if (snapshots.length === 0) return await console.dispatch(restore(contents, "", prepared), actor);
  const begun = await console.dispatch(begin(contents, prepared), actor);
  if (isRefusal(begun)) return begun;
  const { id } = begun.result;
  await pacer.pause();
  const underWay: Promise<Outcome<Record<string, never>>>[] = [];
  let outcome: Outcome<Record<string, never>> = { result: {} };
  for (const snapshot of snapshots) {
    underWay.push(Promise.resolve(console.dispatch(stage(id, snapshot), actor)));
    await pacer.pause();
    if (underWay.length >= IN_FLIGHT) outcome = await underWay.shift()!;
    if (isRefusal(outcome)) break;
  }
  const staged = [outcome, ...await Promise.all(underWay)];
  outcome = staged.find(isRefusal) ??
    await console.dispatch(restore(contents, id, prepared), actor);
  if (isRefusal(outcome)) console.dispatch(giveUp(id), actor);
  return outcome;
}

/** What would be refused in the end is refused before anything is written. */
function begin(
  contents: BackupContents,
  prepared: PreparedRestore,
): Command<{ readonly id: string }> {
  return (state, actor, ports) => {
    const id = makeUuid(ports.random);
    const decision = restore(contents, id, prepared)(state, actor, ports);
    return isRefusal(decision) ? decision : { events: [], result: { id } };
  };
}

function stage(restore: string, snapshot: Snapshot): Command<Record<string, never>> {
  return () => ({ events: [{ type: "snapshotstaged", restore, snapshot }], result: {} });
}

function giveUp(restore: string): Command<Record<string, never>> {
  return () => ({ events: [{ type: "restoregivenup", restore }], result: {} });
}
