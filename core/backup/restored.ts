/**
 * The event of a restore. It is a single event, so that a power cut leaves all of the restore or
 * nothing.
 *
 * @module
 */
import { type Configuration, readConfiguration } from "../configuration/configuration.ts";
import { carryOver, reconfigured } from "../configuration/reconfigure.ts";
import type { WrittenConfiguration } from "../configuration/schema.ts";
import { type AnyEvent, type EventDefinition, type Note, plainJson } from "../event.ts";
import { atOnce } from "../cooperative-scheduler.ts";
import type { SettingsDocument, SettingsTag } from "../settings/documents.ts";
import { type Snapshot, snapshotKey } from "../snapshots/snapshot.ts";
import { noteSnapshot } from "../snapshots/snapshotwritten.ts";
import type { State } from "../state.ts";
import { prepareConfiguration, type PreparedConfiguration } from "../tree/build.ts";
import { treechanged } from "../tree/treechanged.ts";
import type { User } from "../users/user.ts";
import { noteUser } from "../users/userwritten.ts";
import type { ViewDocument } from "../view-documents/view-document.ts";
import { noteViewDocument } from "../view-documents/viewdocumentwritten.ts";
import { without } from "../without.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import type { Tls } from "./tls.ts";
import type { ViewDocumentTexts } from "./view-documents-file.ts";

/** A backup was restored. Parts that are absent here stay as they are. */
export interface Restored {
  readonly type: "restored";
  readonly configuration?: NewConfiguration;
  readonly settings?: Readonly<Partial<Record<SettingsTag, SettingsDocument>>>;
  /** `null` for a device without a certificate. */
  readonly tls?: Tls | null;
  readonly users?: readonly User[];
  /** The tags whose snapshots are replaced by the snapshots staged under the id `staged`. */
  readonly snapshots?: { readonly tags: readonly SnapshotTag[]; readonly staged: string };
  /** All view documents; they replace the present ones. */
  readonly viewDocuments?: ViewDocumentTexts;
}

/** A new configuration, ready to be put in force. */
export interface NewConfiguration {
  readonly prepared: PreparedConfiguration;
  /** The new value of `replaces` in the state. */
  readonly replaces: State["replaces"];
}

/** The event as it is written to a record. */
interface WrittenRestored extends Omit<Restored, "configuration"> {
  readonly configuration?: {
    readonly written: WrittenConfiguration;
    readonly replaces?: readonly string[];
  };
}

/**
 * The event is durable. Its record holds the document of a configuration, which is prepared again
 * at the start.
 */
export const restored: EventDefinition<Restored> = {
  reduce: reduceRestored,
  log: {
    keeps: () => true,
    ifNotStored: "refused",
    write({ configuration, ...event }) {
      if (configuration === undefined) return plainJson.write(event);
      const { prepared, replaces } = configuration;
      const { written } = prepared.configuration;
      return plainJson.write({ ...event, configuration: { written, replaces } } as WrittenRestored);
    },
    read: readRestored,
    *checkpoint(state) {
      const type = "restored";
      const { replaces } = state;
      if (replaces !== undefined) yield { type, configuration: { prepared: state, replaces } };
      for (const [tag, document] of state.settings) yield { type, settings: { [tag]: document } };
      if (state.tls !== undefined) yield { type, tls: state.tls };
    },
  },
  tell: tellRestored,
};

/**
 * Documents may contain secrets. So the audit trail gets only the name and the numbers of mixers
 * and faders of a configuration, and only the existence of settings and of a certificate.
 */
function tellRestored(before: State, event: Restored, note: Note): void {
  const { configuration, settings = {}, tls, users, snapshots, viewDocuments } = event;
  if (configuration !== undefined) {
    const after = configuration.prepared.configuration;
    note("/configuration", toldOf(before.configuration), toldOf(after));
  }
  for (const tag of Object.keys(settings) as SettingsTag[]) {
    note(`/settings/${tag}`, before.settings.has(tag) ? "a document" : undefined, "a document");
  }
  if (tls !== undefined) {
    const told = (one: Tls | null | undefined) => one ? "a certificate" : undefined;
    note("/tls", told(before.tls), told(tls));
  }
  if (users !== undefined) {
    const after = new Map(users.map((user) => [user.name, user]));
    for (const name of new Set([...before.users.keys(), ...after.keys()])) {
      noteUser(before.users.get(name), after.get(name), note);
    }
  }
  if (snapshots !== undefined) {
    const after = replacedSnapshots(before, snapshots).snapshots;
    for (const key of new Set([...before.snapshots.keys(), ...after.keys()])) {
      const was = before.snapshots.get(key);
      const is = after.get(key);
      if (was !== is) noteSnapshot(was, is, note);
    }
  }
  if (viewDocuments !== undefined) {
    const { byName } = before.viewDocuments;
    const after = replacedViewDocuments(before, viewDocuments).viewDocuments.byName;
    for (const name of new Set([...byName.keys(), ...after.keys()])) {
      noteViewDocument(name, byName.get(name), after.get(name), note);
    }
  }
}

function toldOf({ device, mixers }: Configuration): object {
  const faders = mixers.reduce((sum, mixer) => sum + mixer.faders.length, 0);
  return { name: device.name, mixers: mixers.length, faders };
}

/**
 * Returns the event of a record. A configuration that another version of this program wrote may be
 * invalid for this one: then it is left out, and the configuration file is used.
 */
function readRestored({ configuration, ...event }: WrittenRestored): Restored {
  const read = configuration && readConfiguration(configuration.written);
  if (read === undefined || "faults" in read) return event;
  const prepared = atOnce(prepareConfiguration(read.configuration));
  return { ...event, configuration: { prepared, replaces: configuration!.replaces } };
}

/**
 * Says whether an event brings another configuration. Volatile changes wait while such an event is
 * being stored, because their resources may not exist yet, or not any more.
 */
export function changesConfiguration(event: AnyEvent & { configuration?: unknown }): boolean {
  return event.type === "restored" && event.configuration !== undefined;
}

/**
 * Says whether all WebSockets are to be closed, because the users or the resources have changed.
 */
export function closesConnections({ configuration, users }: Restored): boolean {
  return configuration !== undefined || users !== undefined;
}

/**
 * Returns the state after a restore. Values that a restart would lose are carried over here, and
 * not by separate events, because they may change between the decision and the end of the write.
 */
export function reduceRestored(state: State, event: Restored): State {
  const { configuration, settings, tls, users, snapshots, viewDocuments } = event;
  const next: State = {
    ...state,
    ...(settings === undefined ? {} : replacedSettings(state, settings)),
    ...(tls === undefined ? {} : { tls: tls ?? undefined }),
    ...(users === undefined ? {} : { users: new Map(users.map((user) => [user.name, user])) }),
    ...(snapshots === undefined ? {} : replacedSnapshots(state, snapshots)),
    ...(viewDocuments === undefined ? {} : replacedViewDocuments(state, viewDocuments)),
  };
  if (configuration === undefined) return next;
  const { prepared, replaces } = configuration;
  const after = { ...reconfigured(next, prepared), replaces };
  return carryOver(state, after).reduce(treechanged.reduce, after);
}

/** Returns the settings documents of a state after a restore of some of them. */
function replacedSettings(
  state: State,
  settings: NonNullable<Restored["settings"]>,
): Pick<State, "settings" | "settingsBytes"> {
  const brought = Object.entries(settings) as [SettingsTag, SettingsDocument][];
  const lengths = brought.map(([tag, document]) => [tag, JSON.stringify(document).length] as const);
  return {
    settings: new Map([...state.settings, ...brought]),
    settingsBytes: new Map([...state.settingsBytes, ...lengths]),
  };
}

function replacedSnapshots(
  state: State,
  { tags, staged }: NonNullable<Restored["snapshots"]>,
): Pick<State, "snapshots" | "staged"> {
  const kept = [...state.snapshots].filter(([, snapshot]) => {
    const tag = snapshotTagOf(snapshot);
    return tag === undefined || !tags.includes(tag);
  });
  const added = (state.staged.get(staged) ?? [])
    .map((snapshot): [string, Snapshot] => [snapshotKey(snapshot), snapshot]);
  return { snapshots: new Map([...kept, ...added]), staged: without(state.staged, staged) };
}

/** An equal document keeps its revision; every other one gets a new revision. */
function replacedViewDocuments(
  { viewDocuments: { revision, byName } }: State,
  texts: ViewDocumentTexts,
): Pick<State, "viewDocuments"> {
  let last = revision;
  const after = Object.entries(texts).map(([name, text]): [string, ViewDocument] => {
    const before = byName.get(name);
    return [name, before?.text === text ? before : { revision: ++last, text }];
  });
  const isRemoved = [...byName.keys()].some((name) => !Object.hasOwn(texts, name));
  return { viewDocuments: { revision: isRemoved ? last + 1 : last, byName: new Map(after) } };
}
