/**
 * Restores the contents that were read from a backup, as one event (decisions.md, "Backup").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { type Configuration, readConfigurationInSteps } from "../configuration/configuration.ts";
import { documentHash } from "../configuration/reconfigure.ts";
import { forgetLost } from "../engines/claim.ts";
import { type Refusal, refuse } from "../errors.ts";
import { type ConsoleEvent, reduce } from "../events.ts";
import { type Contents, growthRefusal } from "../growth.ts";
import type { Steps } from "../ports.ts";
import type { State } from "../state.ts";
import { prepareConfiguration, type PreparedConfiguration } from "../tree/build.ts";
import { logoutIfLost } from "../users/login.ts";
import { badArchive } from "./manifest.ts";
import { refusedPartIn, restoredConfiguration } from "./own-parts.ts";
import type { BackupContents } from "./read-backup.ts";
import { reduceRestored, type Restored } from "./restored.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import { tagTable } from "./tags.ts";

/**
 * The contents of a backup, checked against a console, with its configuration prepared in advance
 * because that takes long.
 */
export interface PreparedRestore {
  readonly contents: BackupContents;
  /** The configuration in force when the restore was prepared. */
  readonly before: Configuration;
  /**
   * The configuration after the restore; undefined if the backup has neither a configuration nor
   * another name of the device.
   */
  readonly configuration?: PreparedConfiguration;
}

/**
 * Prepares a restore. Refuses (3), naming `file`, a configuration with faults, or with parts that a
 * backup must not contain.
 */
export function* prepareRestore(
  { configuration: before }: State,
  contents: BackupContents,
): Steps<PreparedRestore | Refusal> {
  const document = contents.configuration ?? {};
  const name = tagTable.FWCONFIG.file;
  const refused = refusedPartIn(document);
  if (refused !== undefined) return badArchive(`${name}: ${refused} may not be part of a backup`);
  const deviceName = contents.settings.NETWORK?.deviceName as string | undefined;
  const written = restoredConfiguration(before, contents.configuration, deviceName, contents.own);
  if (written === before.written) return { contents, before };
  const read = yield* readConfigurationInSteps(written);
  if ("faults" in read) {
    const reasons = read.faults.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
    return badArchive(`${name} is not a valid configuration: ${reasons}`);
  }
  const configuration = yield* prepareConfiguration(read.configuration);
  return { contents, before, configuration };
}

/**
 * Restores a prepared backup, all of it or nothing; its snapshots are staged as `staged`. Users who
 * were removed, have another token or may not operate now are logged out everywhere. Refused as
 * `restoreRefusal` says.
 */
export function restore(prepared: PreparedRestore, staged: string): Command<Done> {
  return (state) => {
    const refused = restoreRefusal(state, prepared);
    if (refused !== undefined) return refused;
    const { contents, configuration, before } = prepared;
    const { settings, tls, users, snapshots, viewDocuments } = contents;
    const tags = Object.keys(snapshots) as SnapshotTag[];
    const restored: Restored = {
      type: "restored",
      ...(configuration === undefined ? {} : {
        configuration: {
          prepared: configuration,
          // A reread file may have been changed again: it must not be overwritten.
          replaces: contents.own === undefined
            ? [...new Set(state.replaces).add(documentHash(before.written))]
            : undefined,
        },
      }),
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
      ...(tls === undefined ? {} : { tls }),
      ...(users === undefined ? {} : { users }),
      ...(tags.length === 0 ? {} : { snapshots: { tags, staged } }),
      ...(viewDocuments === undefined ? {} : { viewDocuments }),
    };
    const events = [restored, ...consequences(state, restored)];
    return { events, result: {}, uncharged: true };
  };
}

/**
 * Says why a prepared backup may not be restored now, naming `file`: two of its snapshots have the
 * same number (3), one has the UUID of a snapshot that is not replaced (3), another configuration
 * has come into force since (11), or the limits on snapshots, users or bytes would be exceeded
 * (11).
 */
export function restoreRefusal(state: State, prepared: PreparedRestore): Refusal | undefined {
  const { contents, configuration, before } = prepared;
  const { snapshots } = contents;
  if (before !== state.configuration) {
    const sentence = "another configuration came into force meanwhile; restore it again";
    return refuse("limitReached", sentence, "file");
  }
  const numbers = new Set<string>();
  for (const { id, type, number } of Object.values(snapshots).flat()) {
    if (number === 0) continue;
    const before = state.snapshots.get(id);
    const tag = before && snapshotTagOf(before);
    // The console of the archive may have a saved snapshot instead of one of its factory snapshots.
    const replacing = tag === undefined ? contents.configuration : snapshots[tag];
    if (before !== undefined && replacing === undefined) {
      return badArchive(`snapshot ${id} is another snapshot here, which stays`);
    }
    const numbered = `${type}/${number}`;
    if (numbers.has(numbered)) {
      return badArchive(`two snapshots of type ${type} have the number ${number}`);
    }
    numbers.add(numbered);
  }
  return growthRefusal(
    state,
    contentsAfter(state, prepared),
    configuration?.configuration ?? before,
    "file",
  );
}

/**
 * Returns the contents of the console that clients can add to, as they will be after the restore.
 */
function contentsAfter(
  state: State,
  { contents: { users, settings, snapshots } }: PreparedRestore,
): Contents {
  const staged = new Map([["", Object.values(snapshots).flat()]]);
  const tags = Object.keys(snapshots) as SnapshotTag[];
  return reduceRestored({ ...state, staged }, {
    type: "restored",
    settings,
    ...(users && { users }),
    snapshots: { tags, staged: "" },
  });
}

/**
 * Returns the events that follow from a restore: the volatile values of resources that still exist,
 * and the logouts of users.
 */
function consequences(state: State, restored: Restored): ConsoleEvent[] {
  if (restored.configuration === undefined && restored.users === undefined) return [];
  const replaced = reduceRestored(state, restored);
  const events = forgetLost(replaced);
  const after = events.reduce(reduce, replaced);
  for (const [name, before] of state.users) {
    events.push(...logoutIfLost(after, before, after.users.get(name)));
  }
  return events;
}
