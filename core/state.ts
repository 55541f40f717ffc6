/**
 * The state of a console is a value; everything that happens to it is an event
 * (docs/architecture.md).
 *
 * @module
 */
import type { Access } from "./access/access.ts";
import type { Tls } from "./backup/tls.ts";
import type { Configuration } from "./configuration/configuration.ts";
import { type Engines, NO_ENGINES } from "./engines/engines.ts";
import { type CommandsDone, NO_COMMANDS_DONE } from "./fleet-commands/fleet-command.ts";
import type { Unsynced } from "./fades/unsynced.ts";
import type { Lists } from "./lists/list.ts";
import { atOnce } from "./cooperative-scheduler.ts";
import type { Pictures } from "./pictures/picture.ts";
import type { Settings, SettingsTag } from "./settings/documents.ts";
import { factorySnapshots } from "./snapshots/factory.ts";
import type { Snapshot, Snapshots } from "./snapshots/snapshot.ts";
import { prepareConfiguration, type PreparedConfiguration } from "./tree/build.ts";
import type { Branch } from "./tree/tree.ts";
import type { Handovers } from "./users/handover.ts";
import type { Users } from "./users/user.ts";
import { NO_VIEW_DOCUMENTS, type ViewDocuments } from "./view-documents/view-document.ts";

/**
 * A state has everything that a console knows. It is never altered: an event makes another state.
 */
export interface State extends PreparedConfiguration {
  /** The values in force, in exactly the shape of the control tree. */
  readonly tree: Branch;
  /**
   * The values of the tree in the log, under any configuration: one nested object in the shape of
   * the tree, with all values that were ever stored. A start fits it into the tree that its
   * configuration makes, so a value comes back with its resource.
   */
  readonly stored: Branch;
  readonly snapshots: Snapshots;
  readonly users: Users;
  /** The codes for hand-overs, which a restart forgets. */
  readonly handovers: Handovers;
  readonly pictures: Pictures;
  readonly viewDocuments: ViewDocuments;
  readonly lists: Lists;
  readonly unsynced: Unsynced;
  readonly engines: Engines;
  /** The fader of each access group; a restart forgets them. */
  readonly access: Access;
  readonly commandsDone: CommandsDone;
  /** The hours of operation before this start. */
  readonly hours: number;
  /** The time of this start on the monotonic clock, in ms: `_uptime` counts from it. */
  readonly startedAt: number;
  readonly settings: Settings;
  /**
   * Number of characters of each settings document as JSON: counted when it is restored, because
   * the size of the state is measured with every change that adds to it.
   */
  readonly settingsBytes: ReadonlyMap<SettingsTag, number>;
  /**
   * The snapshots staged for restores, by the id of the restore. They are written one by one,
   * because one record of many snapshots would delay everything else. They have no effect until
   * their restore is written after them, and a restart before that forgets them.
   */
  readonly staged: ReadonlyMap<string, readonly Snapshot[]>;
  /** Undefined while the device has no certificate. */
  readonly tls: Tls | undefined;
  /**
   * The hashes of the documents that a restored configuration replaces: of the document that was in
   * force before it, and, if that may not have been written to the configuration file, of the
   * documents that may still be in the file. Undefined if the file is authoritative.
   */
  readonly replaces: readonly string[] | undefined;
  /**
   * The site key that the console made itself. It stands in no record, backup or configuration: the
   * program supplies it where the configuration says `"siteKey": "own"`. Without it the
   * published one is in force.
   */
  readonly ownSiteKey?: string | undefined;
}

/** Makes the state of a console as its configuration describes it, before anything has happened. */
export function initialState(configuration: Configuration): State {
  const prepared = atOnce(prepareConfiguration(configuration));
  return {
    ...prepared,
    tree: prepared.initial,
    stored: {},
    snapshots: factorySnapshots(configuration),
    users: new Map(),
    handovers: new Map(),
    pictures: new Map(),
    viewDocuments: NO_VIEW_DOCUMENTS,
    lists: new Map(),
    unsynced: new Map(),
    engines: NO_ENGINES,
    access: new Map(),
    commandsDone: NO_COMMANDS_DONE,
    hours: 0,
    startedAt: 0,
    settings: new Map(),
    settingsBytes: new Map(),
    staged: new Map(),
    tls: undefined,
    replaces: undefined,
  };
}
