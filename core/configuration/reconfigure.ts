/**
 * A running console that gets another configuration keeps the values of the resources that still
 * exist. The values of the others stay stored, and come back with their resource.
 *
 * @module
 */
import { faderOf, levelIn, unsyncedIn } from "../fades/unsynced.ts";
import { hexOf } from "../hex.ts";
import { storedLabels } from "../labels/channel-labels.ts";
import { listsPatch, withoutLists } from "../lists/branch.ts";
import { listsUnder } from "../lists/pages.ts";
import { sha256 } from "../sha256.ts";
import { canonicalJson } from "../json.ts";
import { factorySnapshots } from "../snapshots/factory.ts";
import type { State } from "../state.ts";
import type { PreparedConfiguration } from "../tree/build.ts";
import { fitStored, type LeafRule, overlap } from "../tree/fit.ts";
import { type Branch, type Leaf, merge } from "../tree/tree.ts";
import { fadeStep, type TreeChanged, volatileChange } from "../tree/treechanged.ts";
import type { WrittenConfiguration } from "./schema.ts";

/**
 * Returns the hash that identifies a document: the same for the same JSON, whatever the order of
 * its members.
 */
export function documentHash(written: WrittenConfiguration): string {
  return hexOf(sha256(new TextEncoder().encode(canonicalJson(written))));
}

/**
 * The read-only members that a restart finds again, because they are stored, or follow from stored
 * values and the configuration.
 */
const STORED_READ_ONLY = ["_lastloadedsnap", "_lastloadedsnapid", "_hourmeter", "_defaultlabel"];

/**
 * Makes the events that carry over to the state `after` the values of `before` that a restart would
 * lose: logins, meters, moving faders. Values without a place in `after` are left out.
 */
export function carryOver(before: State, after: State): TreeChanged[] {
  const values = withoutLists(overlap(before.initial, {}, before.tree, volatileLeaf) ?? {});
  const levels = [...after.unsynced.keys()].map(faderOf)
    .map((fader) => ({ ...fader, dB: levelIn(before.tree, fader)! }));
  return [
    ...volatileChange(fitStored(after.tree, after.ranges, values as unknown as Branch)),
    ...(levels.length === 0 ? [] : [fadeStep(levels)]),
  ];
}

const volatileLeaf: LeafRule = (_current, value, member) =>
  member.startsWith("_") && !STORED_READ_ONLY.includes(member) && !Array.isArray(value)
    ? value as Leaf
    : undefined;

/**
 * Puts another configuration in force; a stored value is in force if the new tree has a place for
 * it. A saved snapshot with the UUID of a new factory snapshot stays, as it must not be lost.
 */
export function reconfigured(state: State, prepared: PreparedConfiguration): State {
  const { configuration, initial } = prepared;
  const saved = [...state.snapshots].filter(([, { factory }]) => !factory);
  const lists = listsUnder(configuration, state.lists);
  const next = withStored({
    ...state,
    ...prepared,
    snapshots: new Map([...factorySnapshots(configuration), ...saved]),
    lists,
    unsynced: unsyncedIn(state.unsynced, initial),
  });
  const shown = listsPatch(configuration, new Map(), lists);
  return shown === undefined ? next : { ...next, tree: merge(next.tree, shown) };
}

/**
 * Returns the state with the tree that a start makes: the configured values, overlaid with the
 * stored ones.
 */
export function withStored(state: State): State {
  const { initial, ranges, stored } = state;
  const values = fitStored(initial, ranges, stored);
  const next = { ...state, tree: values === undefined ? initial : merge(initial, values) };
  return { ...next, tree: merge(next.tree, storedLabels(state.configuration, next.tree, stored)) };
}
