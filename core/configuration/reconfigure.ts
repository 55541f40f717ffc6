/**
 * A console that gets another configuration while it lives: what still exists keeps its values. Those of
 * the rest stay stored, and come back with it.
 *
 * @module
 */
import { volatileChange } from "../tree/treechanged.ts";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { adriftIn, faderOf, levelIn, levelsPatch } from "../fades/adrift.ts";
import { storedLabels } from "../labels/channel-labels.ts";
import { listsPatch, withoutLists } from "../lists/branch.ts";
import { listsUnder } from "../lists/pages.ts";
import { canonicalJson } from "../snapshots/canonical.ts";
import { factorySnapshots } from "../snapshots/factory.ts";
import type { State } from "../state.ts";
import { type Branch, merge } from "../tree/tree.ts";
import type { TreeChanged } from "../tree/treechanged.ts";
import { difference } from "../tree/difference.ts";
import { fit } from "../tree/fit.ts";
import type { PreparedConfiguration } from "../tree/build.ts";
import type { WrittenConfiguration } from "./schema.ts";

/** What a document is known by: the same for the same JSON, whatever the order of its members. */
export function documentHash(written: WrittenConfiguration): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(written))));
}

/** The read-only members that a restart finds again. */
const KEPT = ["_lastloadedsnap", "_hourmeter"];

/**
 * What gives the state `after` the values of `before` that a restart would not find, as far as it
 * has a place for them: who is logged in, meters, faders on their way.
 */
export function passingChanges(before: State, after: State): TreeChanged[] {
  const takes = (member: string) => member.startsWith("_") && !KEPT.includes(member);
  const values = withoutLists(difference(before.initial, before.tree, takes) ?? {});
  const patch = fit(after.tree, after.ranges, values as unknown as Branch, "take");
  const levels = [...after.adrift.keys()].map(faderOf)
    .map((fader) => ({ ...fader, dB: levelIn(before.tree, fader)! }));
  return [
    ...(patch === undefined ? [] : [volatileChange(patch)]),
    ...(levels.length === 0 ? [] : [
      {
        type: "treechanged",
        ofFades: true,
        patch: levelsPatch(levels),
      } as const,
    ]),
  ];
}

/** The state under another configuration: what is stored is in force where it has a place for it. */
export function reconfigured(state: State, prepared: PreparedConfiguration): State {
  const { configuration, tree: initial, ranges, snapshotBytes } = prepared;
  const ofOthers = [...state.snapshots].filter(([, { factory }]) => !factory);
  const lists = listsUnder(configuration, state.lists);
  const next = withStored({
    ...state,
    configuration,
    ranges,
    snapshotBytes,
    initial,
    snapshots: new Map([...factorySnapshots(configuration), ...ofOthers]),
    lists,
    adrift: adriftIn(state.adrift, initial),
  });
  const shown = listsPatch(configuration, new Map(), lists);
  return shown === undefined ? next : { ...next, tree: merge(next.tree, shown) };
}

/** The state with the tree that a start finds: as it is configured, with what is stored in force. */
export function withStored(state: State): State {
  const { initial, ranges, stored } = state;
  const values = fit(initial, ranges, stored, "take");
  const next = { ...state, tree: values === undefined ? initial : merge(initial, values) };
  return { ...next, tree: merge(next.tree, storedLabels(state.configuration, next.tree, stored)) };
}
