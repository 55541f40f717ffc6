/**
 * The event of a restore: one, so that a power cut leaves all of it or nothing.
 *
 * @module
 */
import { readOnce } from "../configuration/configuration.ts";
import { reconfigured } from "../configuration/reconfigure.ts";
import type { WrittenConfiguration } from "../configuration/schema.ts";
import type { SettingsDocument, SettingsTag } from "../settings/settings.ts";
import { stagedFor } from "./staged.ts";
import { type Snapshot, snapshotKey } from "../snapshots/snapshot.ts";
import type { Event, State } from "../state.ts";
import type { User } from "../users/user.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import type { Tls } from "./tls.ts";

/** Another configuration came into force. */
export interface NewConfiguration {
  readonly written: WrittenConfiguration;
  /**
   * The hashes of the documents in whose place it stands: of the one that was in force, and, where
   * that may not have come to the configuration file, of those that may stand there still.
   */
  readonly replaces: readonly string[];
}

/** A backup was restored; what is not named stays. */
export interface Restored {
  readonly type: "restored";
  readonly configuration?: NewConfiguration;
  readonly settings?: Readonly<Partial<Record<SettingsTag, SettingsDocument>>>;
  /** `null` for a device without a certificate. */
  readonly tls?: Tls | null;
  readonly users?: readonly User[];
  /** The tags whose snapshots are replaced, by those that were staged for this restore. */
  readonly snapshots?: { readonly tags: readonly SnapshotTag[]; readonly staged: string };
}

/** The restored configuration is in the configuration file: from now on the file is right. */
export interface ConfigurationWritten {
  readonly type: "configurationwritten";
}

/**
 * Whether an event brings another configuration: while one is on its way to the medium, what is volatile
 * waits for it, since what it is about may not be there yet, or any more.
 */
export function changesConfiguration(event: Event): boolean {
  return event.type === "restored" && event.configuration !== undefined;
}

/** Whether the WebSockets are to be closed: who may do what, or what there is, has changed. */
export function closesConnections({ configuration, users }: Restored): boolean {
  return configuration !== undefined || users !== undefined;
}

/** The state after a restore. */
export function reduceRestored(state: State, event: Restored): State {
  const { configuration, settings, tls, users, snapshots } = event;
  const restored: State = {
    ...state,
    ...(settings === undefined ? {} : {
      settings: new Map([
        ...state.settings,
        ...Object.entries(settings) as [SettingsTag, SettingsDocument][],
      ]),
    }),
    ...(tls === undefined ? {} : { tls: tls ?? undefined }),
    ...(users === undefined ? {} : { users: new Map(users.map((user) => [user.name, user])) }),
    ...(snapshots === undefined ? {} : replacedSnapshots(state, snapshots)),
  };
  if (configuration === undefined) return restored;
  const { written, replaces } = configuration;
  const read = readOnce(written);
  // One that another version of this program wrote may be none for this one: the file decides then.
  if ("faults" in read) return restored;
  const next = reconfigured(restored, read.configuration);
  return { ...next, unwritten: { written, replaces } };
}

function replacedSnapshots(
  state: State,
  { tags, staged }: NonNullable<Restored["snapshots"]>,
): Pick<State, "snapshots" | "staged"> {
  const kept = [...state.snapshots].filter(([, snapshot]) => {
    const tag = snapshotTagOf(snapshot);
    return tag === undefined || !tags.includes(tag);
  });
  const added = stagedFor(state.staged, staged)
    .map((snapshot): [string, Snapshot] => [snapshotKey(snapshot), snapshot]);
  const left = [...state.staged].filter(([restore]) => restore !== staged);
  return { snapshots: new Map([...kept, ...added]), staged: new Map(left) };
}
