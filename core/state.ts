/**
 * The state of a console is a value; everything that happens to it is an event (docs/architecture.md).
 *
 * @module
 */
import {
  type ConfigurationWritten,
  type NewConfiguration,
  reduceRestored,
  type Restored,
} from "./backup/restored.ts";
import {
  reduceStaged,
  type RestoreGivenUp,
  type SnapshotStaged,
  type Staged,
} from "./backup/staged.ts";
import type { Tls } from "./backup/tls.ts";
import type { Configuration } from "./configuration/configuration.ts";
import { reduceUnknown, type UnknownDropped } from "./configuration/unknown.ts";
import { type Adrift, castOff, keepRest } from "./fades/adrift.ts";
import {
  type FadeEnded,
  type FadersRested,
  type FadeStarted,
  levelsPatch,
  type Moving,
  reduceMoving,
} from "./fades/fade.ts";
import { noFaders } from "./fades/fader-map.ts";
import { type Hours, type HoursKept, hoursPatch } from "./general.ts";
import { type ListChanged, type ListNotified, type Lists, reduceLists } from "./lists/list.ts";
import { type Pictures, type PictureWritten, reducePictures } from "./pictures/picture.ts";
import { factorySnapshots } from "./snapshots/factory.ts";
import {
  reduceSnapshots,
  type SnapshotModified,
  type SnapshotRemoved,
  type Snapshots,
  type SnapshotWritten,
} from "./snapshots/snapshot.ts";
import type { Settings } from "./settings/settings.ts";
import type { Ranges } from "./tree/build.ts";
import { changeTree, type TreeChanged } from "./tree/change.ts";
import { initialTree } from "./tree/initial.ts";
import { type Branch, merge } from "./tree/patch.ts";
import { reduceUsers, type UserRemoved, type Users, type UserWritten } from "./users/user.ts";

/** All there is to know of a console. Never altered: an event makes another state. */
export interface State {
  readonly configuration: Configuration;
  /** The live console, in exactly the shape of the control tree. */
  readonly tree: Branch;
  /** What each writable leaf may hold; `range` of the control tree. */
  readonly ranges: Ranges;
  /** The most bytes that the `snapshotdata` of a mixer, fader or flex processing can have. */
  readonly snapshotBytes: number;
  /** The tree as the configuration makes it: what a default snapshot holds before one is saved. */
  readonly initial: Branch;
  /** What the log keeps of the tree, whichever configuration it is of: what a restart finds. */
  readonly stored: Branch;
  readonly snapshots: Snapshots;
  readonly users: Users;
  readonly pictures: Pictures;
  readonly lists: Lists;
  readonly moving: Moving;
  readonly adrift: Adrift;
  readonly hours: Hours;
  readonly settings: Settings;
  readonly staged: Staged;
  /** Undefined while the device has no certificate. */
  readonly tls: Tls | undefined;
  /** A restored configuration that may not be in its file yet; undefined where the file is right. */
  readonly unwritten: NewConfiguration | undefined;
}

/** Everything that can happen to a console. */
export type Event =
  | TreeChanged
  | SnapshotWritten
  | SnapshotModified
  | SnapshotRemoved
  | UserWritten
  | UserRemoved
  | PictureWritten
  | ListChanged
  | ListNotified
  | FadeStarted
  | FadeEnded
  | FadersRested
  | HoursKept
  | SnapshotStaged
  | RestoreGivenUp
  | Restored
  | ConfigurationWritten
  | UnknownDropped;

/** The events that are kept on the medium. */
export type DurableEvent = Exclude<
  Event,
  ListChanged | ListNotified | FadeStarted | FadeEnded | RestoreGivenUp | UnknownDropped
>;

/** Whether an event is answered only after it is on the medium; a volatile one never touches it. */
export function isDurable(event: Event): event is DurableEvent {
  switch (event.type) {
    case "treechanged":
      return event.kept !== undefined;
    case "listchanged":
    case "listnotified":
    case "fadestarted":
    case "fadeended":
    case "restoregivenup":
    case "unknowndropped":
      return false;
    default:
      return true;
  }
}

/** A console as its configuration describes it, before anything has happened. */
export function initialState(configuration: Configuration): State {
  const { tree, ranges, snapshotBytes } = initialTree(configuration);
  return {
    configuration,
    tree,
    ranges,
    snapshotBytes,
    initial: tree,
    stored: {},
    snapshots: factorySnapshots(configuration),
    users: new Map(),
    pictures: new Map(),
    lists: new Map(),
    moving: noFaders,
    adrift: noFaders,
    hours: { before: 0, kept: 0 },
    settings: new Map(),
    staged: new Map(),
    tls: undefined,
    unwritten: undefined,
  };
}

/** The state after an event. */
export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case "treechanged":
      return changeTree(state, event);
    case "snapshotwritten":
    case "snapshotmodified":
    case "snapshotremoved":
      return { ...state, snapshots: reduceSnapshots(state.snapshots, event) };
    case "userwritten":
    case "userremoved":
      return { ...state, users: reduceUsers(state.users, event) };
    case "picturewritten":
      return { ...state, pictures: reducePictures(state.pictures, event) };
    case "listchanged":
      return { ...state, lists: reduceLists(state.lists, event) };
    case "fadestarted":
      return {
        ...state,
        moving: reduceMoving(state.moving, event),
        adrift: castOff(state.adrift, event),
      };
    case "fadeended":
      return { ...state, moving: reduceMoving(state.moving, event) };
    case "snapshotstaged":
    case "restoregivenup":
      return { ...state, staged: reduceStaged(state.staged, event) };
    case "restored":
      return reduceRestored(state, event);
    case "configurationwritten":
      return { ...state, unwritten: undefined };
    case "fadersrested":
      return {
        ...state,
        adrift: keepRest(state, event),
        stored: merge(state.stored, levelsPatch(event.levels)),
      };
    case "hourskept":
      return {
        ...state,
        hours: { ...state.hours, kept: event.hours },
        stored: merge(state.stored, hoursPatch(event)),
      };
    case "unknowndropped":
      return reduceUnknown(state);
    case "listnotified":
      return state;
  }
}
