/**
 * A console that gets another configuration while it lives: what still exists keeps its values. Those of
 * the rest stay stored, and come back with it.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { levelIn } from "../fades/adrift.ts";
import { levelsPatch } from "../fades/fade.ts";
import { changedItems, type FaderAddress, type FaderMap, itemsOf } from "../fades/fader-map.ts";
import { storedLabels } from "../labels/channel-labels.ts";
import { listsPatch, withoutLists } from "../lists/branch.ts";
import { listsUnder } from "../lists/pages.ts";
import { canonicalJson } from "../snapshots/canonical.ts";
import { factorySnapshots } from "../snapshots/factory.ts";
import type { State } from "../state.ts";
import { type Branch, merge } from "../tree/patch.ts";
import { type TreeChanged, treeChanged } from "../tree/change.ts";
import { difference } from "../tree/difference.ts";
import { fit } from "../tree/fit.ts";
import { initialTree } from "../tree/initial.ts";
import type { Configuration } from "./configuration.ts";
import type { WrittenConfiguration } from "./schema.ts";

const hashes = new WeakMap<WrittenConfiguration, string>();

/** What a document is known by: the same for the same JSON, whatever the order of its members. */
export function documentHash(written: WrittenConfiguration): string {
  const known = hashes.get(written);
  if (known !== undefined) return known;
  const hash = bytesToHex(sha256(utf8ToBytes(canonicalJson(written))));
  hashes.set(written, hash);
  return hash;
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
  const levels = [...itemsOf(after.adrift)]
    .map((address) => ({ ...address, dB: levelIn(before.tree, address)! }));
  return [
    ...(patch === undefined ? [] : [treeChanged(after, patch, false)]),
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
export function reconfigured(state: State, configuration: Configuration): State {
  const { tree: initial, ranges, snapshotBytes } = initialTree(configuration);
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
    moving: existing(state.moving, initial),
    adrift: existing(state.adrift, initial),
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

function existing<Item extends FaderAddress>(map: FaderMap<Item>, tree: Branch): FaderMap<Item> {
  const gone = [...itemsOf(map)].filter((address) => levelIn(tree, address) === undefined);
  return changedItems(map, gone, () => undefined);
}
