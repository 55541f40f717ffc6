/**
 * Restoring what was read of a backup, as one event (decisions.md, "Backup").
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import { type Configuration, readConfiguration, readOnce } from "../configuration/configuration.ts";
import { documentHash, passingChanges } from "../configuration/reconfigure.ts";
import type { WrittenConfiguration } from "../configuration/schema.ts";
import type { Command } from "../console.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import { factorySnapshots } from "../snapshots/factory.ts";
import { type Event, reduce, type State } from "../state.ts";
import { prepareTree } from "../tree/initial.ts";
import { logoutEverywhere } from "../users/login.ts";
import { badArchive } from "./manifest.ts";
import { ownPartsOf, refusedPartIn, restoredConfiguration } from "./own-parts.ts";
import type { BackupContents } from "./read-backup.ts";
import type { NewConfiguration, Restored } from "./restored.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import { tagTable } from "./tags.ts";

/** A configuration to be restored, made ready, and the one that it was made from. */
export interface PreparedRestore {
  readonly before: Configuration;
  readonly written: WrittenConfiguration;
}

/**
 * Does in pieces, ahead of `restore` and for it, what takes long of putting a configuration in force.
 * Without it, or where another came into force since, that is done then, in one go.
 */
export async function prepareRestore(
  { configuration }: State,
  contents: BackupContents,
  pacer: Pacer,
): Promise<PreparedRestore> {
  const written = nextConfiguration(configuration, contents);
  if (written !== configuration.written) {
    const read = readOnce(written);
    await pacer.pause();
    if ("configuration" in read) await prepareTree(read.configuration, pacer);
  }
  return { before: configuration, written };
}

/** What the configuration will be, with all that is restored. */
function nextConfiguration(
  before: Configuration,
  { configuration, settings: { NETWORK } }: BackupContents,
): WrittenConfiguration {
  return restoredConfiguration(before, configuration, NETWORK?.deviceName as string | undefined);
}

/**
 * Restores what was read, all of it or nothing; its snapshots are staged as `staged`. Users who are
 * gone, or whose token is another now, are logged out everywhere.
 * Refused (3), naming `file`: a configuration with faults, snapshots of which two have a number, or
 * one has the UUID of a snapshot that stays.
 */
export function restore(
  contents: BackupContents,
  staged: string,
  prepared?: PreparedRestore,
): Command<Record<string, never>> {
  return (state) => {
    const { settings, tls, users } = contents;
    const tags = Object.keys(contents.snapshots) as SnapshotTag[];
    const configuration = newConfiguration(state, contents, prepared);
    if (configuration !== undefined && isRefusal(configuration)) return configuration;
    const restored: Restored = {
      type: "restored",
      ...(configuration === undefined ? {} : { configuration }),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
      ...(tls === undefined ? {} : { tls }),
      ...(users === undefined ? {} : { users }),
      ...(tags.length === 0 ? {} : { snapshots: { tags, staged } }),
    };
    return snapshotsRefusal(state, restored, contents.snapshots) ??
      { events: [restored, ...consequences(state, restored)], result: {} };
  };
}

function newConfiguration(
  state: State,
  contents: BackupContents,
  prepared: PreparedRestore | undefined,
): NewConfiguration | Refusal | undefined {
  const document = contents.configuration ?? {};
  const name = tagTable.FWCONFIG.file;
  const refused = refusedPartIn(document);
  if (refused !== undefined) return badArchive(`${name}: ${refused} does not travel in a backup`);
  const written = prepared?.before === state.configuration
    ? prepared.written
    : nextConfiguration(state.configuration, contents);
  if (written === state.configuration.written) return undefined;
  // What of the document is not applied is to be valid too.
  const faults = [readOnce(written), readConfiguration(ownPartsOf(document))]
    .flatMap((read) => "faults" in read ? read.faults : []);
  if (faults.length > 0) {
    const reasons = faults.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
    return badArchive(`${name} is no valid configuration: ${reasons}`);
  }
  const replaces = new Set(state.unwritten?.replaces);
  replaces.add(documentHash(state.configuration.written));
  return { written, replaces: [...replaces] };
}

function snapshotsRefusal(
  state: State,
  { configuration }: Restored,
  snapshots: BackupContents["snapshots"],
): Refusal | undefined {
  const read = configuration && readOnce(configuration.written);
  const factory = read !== undefined && "configuration" in read
    ? factorySnapshots(read.configuration)
    : new Map([...state.snapshots].filter(([, one]) => one.factory));
  const numbers = new Set<string>();
  for (const { id, type, number } of Object.values(snapshots).flat()) {
    if (number === 0) continue;
    const before = state.snapshots.get(id);
    const tag = before && snapshotTagOf(before);
    if (factory.has(id) || (tag !== undefined && snapshots[tag] === undefined)) {
      return badArchive(`snapshot ${id} is another snapshot here, which stays`);
    }
    const numbered = `${type}/${number}`;
    if (numbers.has(numbered)) {
      return badArchive(`two snapshots of type ${type} have the number ${number}`);
    }
    numbers.add(numbered);
  }
}

/** What a restore entails: the passing values of what still exists, and who is logged in no more. */
function consequences(state: State, restored: Restored): Event[] {
  if (restored.configuration === undefined && restored.users === undefined) return [];
  const replaced = reduce(state, restored);
  const events: Event[] = restored.configuration === undefined
    ? []
    : passingChanges(state, replaced);
  const after = events.reduce(reduce, replaced);
  for (const [name, { tokenHash }] of state.users) {
    if (after.users.get(name)?.tokenHash !== tokenHash) {
      events.push(...logoutEverywhere(after, name));
    }
  }
  return events;
}
