/**
 * The summary of a console: the part of its control tree that a hub shows without a session, and
 * the difference of two summaries.
 *
 * @module
 */
import { type EngineState, engineState } from "../../core/engines/engines.ts";
import type { State } from "../../core/state.ts";
import { storageOf, type StorageState } from "../../core/storage-alarm.ts";
import { type Branch, isBranch, isSameLeaf, type Patch, type Tree } from "../../core/tree/tree.ts";
import type { FleetMay, Summary } from "../wire.ts";

/** The members of a summary that are not in the state of the console. */
export interface SummaryOptions {
  readonly site: string;
  /** The highest right of fleet users on the console. */
  readonly may: FleetMay;
  /** The version of faderd. */
  readonly version: string;
  readonly tells?: true;
}

/** The shown members: `true` for a whole member, `each` for all members of a branch. */
type Shown = true | { readonly [member: string]: Shown } | { readonly each: Shown };

/** The members of `general` that do not change by themselves every second. */
const general: Shown = Object.fromEntries(
  [
    "_api_version",
    "_firmware_version",
    "_hardwareserial",
    "_hourmeter",
    "_name",
    "_sync2ok",
    "_syncsource",
    "_systemfrequency",
    "_maxwebsockets",
    "_storage",
    "_engine",
  ].map((member) => [member, true]),
);

const mixer = { _name: true, _lastloadedsnap: true, _lastloadedsnapid: true, _user: true } as const;

/** The labels and keys; never levels or meters. */
const faders = { each: { label: true, on: true } } as const;

const shortTree: Shown = { general, audio: { mixers: { each: mixer } } };
const wholeTree: Shown = { general, audio: { mixers: { each: { ...mixer, faders } } } };

/**
 * The extent of the shown part of a control tree: `short` has no faders, for a console that has
 * more faders than a frame can hold.
 */
export type Extent = "whole" | "short";

const SHOWN: Readonly<Record<Extent, Shown>> = { whole: wholeTree, short: shortTree };

/** Returns the shown part of a control tree. */
export function shownTree(tree: Branch, extent: Extent): Branch {
  return (shownPart(tree, SHOWN[extent]) ?? {}) as Branch;
}

function shownPart(node: Tree | undefined, shown: Shown): Tree | undefined {
  if (shown === true || node === undefined) return node;
  if (!isBranch(node)) return undefined;
  const members = membersOf(node, shown)
    .map(([member, below]) => [member, shownPart(node[member], below)] as const)
    .filter(([, value]) => value !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members) as Branch;
}

function membersOf(node: Branch, shown: Exclude<Shown, true>): (readonly [string, Shown])[] {
  return "each" in shown
    ? Object.keys(node).map((member) => [member, shown.each as Shown] as const)
    : Object.entries(shown as Readonly<Record<string, Shown>>);
}

/** Stands for a change that a patch cannot express, because a value is gone. */
export const REPLACED: unique symbol = Symbol("replaced");

/**
 * Returns the patch from the shown part of one control tree to the shown part of another; undefined
 * if they are the same. Shared parts of the two trees are not compared, so that the cost depends on
 * the changed parts alone.
 */
export function shownChange(
  before: Branch,
  after: Branch,
  extent: Extent,
): Patch | typeof REPLACED | undefined {
  return changeOf(before, after, SHOWN[extent]) as Patch | typeof REPLACED | undefined;
}

function changeOf(
  before: Tree | undefined,
  after: Tree | undefined,
  shown: Shown,
): Tree | typeof REPLACED | undefined {
  if (before === after) return undefined;
  if (after === undefined) return REPLACED;
  if (before === undefined) return shownPart(after, shown);
  // A member that is shown whole is a leaf.
  if (shown === true) return isSameLeaf(before, after) ? undefined : after;
  if (!isBranch(before) || !isBranch(after)) return REPLACED;
  if ("each" in shown && Object.keys(before).some((member) => !(member in after))) return REPLACED;
  const patch: Record<string, Tree> = {};
  for (const [member, below] of membersOf(after, shown)) {
    const change = changeOf(before[member], after[member], below);
    if (change === REPLACED) return REPLACED;
    if (change !== undefined) patch[member] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/**
 * Returns the sentences that say what is wrong with a console, or with its summary; none if all is
 * well.
 */
export function alarmsOf(state: State, extent: Extent): readonly string[] {
  const storage = STORAGE_ALARMS[storageOf(state)];
  const engine = ENGINE_ALARMS[engineState(state.engines)];
  return [storage, engine, extent === "short" ? TOO_LARGE : undefined]
    .filter((sentence) => sentence !== undefined);
}

const STORAGE_ALARMS: Readonly<Record<StorageState, string | undefined>> = {
  ok: undefined,
  slow: "The medium takes 2 s or more to store a change.",
  full: "The medium is full: what does not fit is not stored.",
  readonly: "The medium takes no writes: what is changed is not stored.",
  damaged: "The log is damaged: what is changed is not stored.",
};

const ENGINE_ALARMS: Readonly<Record<EngineState, string | undefined>> = {
  none: undefined,
  running: undefined,
  late: "An audio engine renders slower than real time.",
  lost: "An audio engine has disconnected, and no other has taken its place.",
};

/** Returns the summary of a console. */
export function summaryOf(state: State, options: SummaryOptions, extent: Extent): Summary {
  return {
    ...options,
    name: state.configuration.device.name,
    tree: shownTree(state.tree, extent),
    alarms: alarmsOf(state, extent),
  };
}

const TOO_LARGE = "The console has too many faders for the hub: their labels are not shown there.";
