/**
 * Restores a backup, from its bytes to the last call of a hook. The REST action and the command
 * line both use it.
 *
 * @module
 */
import type { Command, Done, Outcome } from "../command.ts";
import type { Console } from "../console.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import type { CooperativeScheduler } from "../ports.ts";
import type { SettingsDocument, SettingsTag } from "../settings/settings.ts";
import { siteKeyOf } from "../site-key.ts";
import { makeUuid } from "../snapshots/savesnapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { adminRefusal, byAdmin } from "../users/admin.ts";
import { type Actor, DEVICE, isExpired, type User } from "../users/user.ts";
import type { Device } from "./device.ts";
import { badArchive } from "./manifest.ts";
import { type BackupContents, readBackup } from "./read-backup.ts";
import { type PreparedRestore, prepareRestore, restore, restoreRefusal } from "./restore.ts";
import { type AskedTags, type Tag, tagsFor, tagTable } from "./tags.ts";
import type { Packed } from "./unpack.ts";

/** Maximum number of snapshots that are being stored at the same time. */
const IN_FLIGHT = 32;

/** The owner of the machine, who acts on the command line. */
const OWNER: Actor = { ...DEVICE, call: "restore" };

/** Options of a restore. */
export interface RestoreOptions {
  readonly tags: AskedTags;
  /**
   * The actor that asks over the network. It has to be an admin, and there must be an admin after
   * the restore. Undefined for the owner of the machine, who may do everything.
   */
  readonly by: Actor | undefined;
  readonly device: Device;
  readonly scheduler: CooperativeScheduler;
}

/** The result of a restore that is in force. */
export interface RestoreOutcome {
  readonly tags: readonly Tag[];
  /** Whether the restore has changed the configuration. */
  readonly reconfigured: boolean;
  /** Why that configuration could not be written to its file; the next start writes it. */
  readonly unwritten: string | undefined;
  /** The tags of settings for which `hooks.applied` failed, each with the reason. */
  readonly untold: readonly string[];
}

/**
 * Restores the requested tags of a packed archive, all of them or nothing. Refuses tags that do not
 * apply (3), and what `readBackup` and `applyBackup` refuse. Over the network it also refuses an
 * actor that is not an admin (4 or 5), and users of whom no admin has a valid token (3).
 */
export async function restoreBackup(
  console: Console,
  packed: Packed,
  { tags: asked, by, device, scheduler }: RestoreOptions,
): Promise<RestoreOutcome | Refusal> {
  const { configuration } = console.state;
  const tags = (by && adminRefusal(by)) ?? tagsFor(configuration, asked);
  if (isRefusal(tags)) return tags;
  const siteKey = siteKeyOf(console.state);
  const contents = await readBackup(packed, tags, { ...device, scheduler, siteKey });
  if (isRefusal(contents)) return contents;
  // The actor may have lost its rights while the archive was read.
  const allowed = by && await console.dispatch(byAdmin(expectAdmin(contents.users)), by);
  if (allowed !== undefined && isRefusal(allowed)) return allowed;
  const applied = await applyBackup(console, contents, by ?? OWNER, scheduler);
  if (isRefusal(applied)) return applied;
  const unwritten = await device.settled();
  const reconfigured = console.state.configuration !== configuration;
  const untold: string[] = [];
  for (const [tag, document] of Object.entries(contents.settings)) {
    const failure = await device.applied(tag as SettingsTag, document as SettingsDocument);
    if (failure !== undefined) untold.push(`${tag}: ${failure}`);
  }
  return { tags, reconfigured, unwritten: reconfigured ? unwritten : undefined, untold };
}

/**
 * Refuses users of whom no admin has a valid token: after that restore nobody could restore
 * anything over the network again.
 */
function expectAdmin(users: readonly User[] | undefined): Command<Done> {
  return (_state, _actor, { clock }) => {
    const isThere = users?.some((user) => user.admin && !isExpired(user, clock.now())) ?? true;
    return isThere ? { events: [], result: {} } : badArchive(
      `${tagTable.USERS.file} has no admin whose token is valid: nobody could back up, restore or ` +
        "change users any more",
    );
  };
}

/**
 * Restores the contents of a backup: the snapshots are staged one after the other, and then
 * everything comes into force as one event. Refused, with nothing changed, as by `prepareRestore`
 * and `restore`, and if it could not be stored (12).
 */
export async function applyBackup(
  console: Console,
  contents: BackupContents,
  actor: Actor,
  scheduler: CooperativeScheduler,
): Promise<Outcome<Done>> {
  const prepared = await scheduler.run(prepareRestore(console.state, contents));
  if (isRefusal(prepared)) return prepared;
  // An actor may lose its rights while the snapshots are staged.
  const restoring = (staged: string) => {
    const command = restore(prepared, staged);
    return actor.isDevice === true ? command : byAdmin(command);
  };
  const snapshots = Object.values(contents.snapshots).flat();
  if (snapshots.length === 0) return await console.dispatch(restoring(""), actor);
  const begun = await console.dispatch(begin(prepared), actor);
  if (isRefusal(begun)) return begun;
  const { id } = begun.result;
  const underWay: Promise<Outcome<Done>>[] = [];
  let outcome: Outcome<Done> = { result: {} };
  for (const snapshot of snapshots) {
    underWay.push(Promise.resolve(console.dispatch(stage(id, snapshot), actor)));
    await scheduler.pause();
    if (underWay.length >= IN_FLIGHT) outcome = await underWay.shift()!;
    if (isRefusal(outcome)) break;
  }
  const staged = [outcome, ...await Promise.all(underWay)];
  outcome = staged.find(isRefusal) ?? await console.dispatch(restoring(id), actor);
  if (isRefusal(outcome)) console.dispatch(giveUp(id), DEVICE);
  return outcome;
}

/** Refuses what `restore` would refuse, before anything is written. */
function begin(prepared: PreparedRestore): Command<{ readonly id: string }> {
  return (state, _actor, { random }) =>
    restoreRefusal(state, prepared) ?? { events: [], result: { id: makeUuid(random) } };
}

function stage(restore: string, snapshot: Snapshot): Command<Done> {
  const events = [{ type: "snapshotstaged", restore, snapshot } as const];
  return () => ({ events, result: {}, uncharged: true });
}

function giveUp(restore: string): Command<Done> {
  return () => ({ events: [{ type: "restoregivenup", restore }], result: {} });
}
