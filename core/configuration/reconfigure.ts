/**
 * A console that gets another configuration while it lives: what still exists keeps its values, the
 * rest goes.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { levelIn } from "../fades/adrift.ts";
import { levelsPatch } from "../fades/fade.ts";
import { changedItems, type FaderAddress, type FaderMap, itemsOf } from "../fades/fader-map.ts";
import { canonicalJson } from "../snapshots/canonical.ts";
import { factorySnapshots } from "../snapshots/factory.ts";
import type { State } from "../state.ts";
import { type Branch, merge, type Patch } from "../tree/patch.ts";
import { allSourceLabels, type TreeChanged, treeChanged } from "../tree/change.ts";
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

/** The values that differ from those the configuration gave, as a restart would find them. */
export function liveValues({ initial, tree, adrift }: State): Patch {
  const takes = (member: string) => !member.startsWith("_") || KEPT.includes(member);
  const rest = [...itemsOf(adrift)].map(({ rest, ...address }) => ({ ...address, dB: rest }));
  const settled = rest.length === 0 ? tree : merge(tree, levelsPatch(rest));
  return difference(initial, settled, takes) ?? {};
}

/**
 * What gives the state `after` the values of `before` that a restart would not find, as far as it
 * has a place for them: who is logged in, meters, faders on their way.
 */
export function passingChanges(before: State, after: State): TreeChanged[] {
  const takes = (member: string) => member.startsWith("_") && !KEPT.includes(member);
  const values = difference(before.initial, before.tree, takes) ?? {};
  const patch = fit(after.tree, after.ranges, values as unknown as Branch, "take");
  const levels = [...itemsOf(after.adrift)]
    .map(({ rest: _, ...address }) => ({ ...address, dB: levelIn(before.tree, address)! }));
  return [
    ...(patch === undefined ? [] : [treeChanged(after, patch, false)]),
    ...(levels.length === 0 ? [] : [
      {
        type: "treechanged",
        durable: false,
        ofFades: true,
        patch: levelsPatch(levels),
      } as const,
    ]),
  ];
}

/** The state under another configuration, with the given values where it has a place for them. */
export function reconfigured(state: State, configuration: Configuration, live: Patch): State {
  const { tree: initial, ranges } = initialTree(configuration);
  const values = fit(initial, ranges, live as unknown as Branch, "take");
  const ofOthers = [...state.snapshots].filter(([, { factory }]) => !factory);
  const lists = configuration.lists.map(({ id }) => id);
  const next: State = {
    ...state,
    configuration,
    ranges,
    initial,
    tree: values === undefined ? initial : merge(initial, values),
    snapshots: new Map([...factorySnapshots(configuration), ...ofOthers]),
    lists: new Map([...state.lists].filter(([id]) => lists.includes(id))),
    moving: existing(state.moving, initial),
    adrift: existing(state.adrift, initial),
  };
  const labels = allSourceLabels(next);
  return labels === undefined ? next : { ...next, tree: merge(next.tree, labels) };
}

function existing<Item extends FaderAddress>(map: FaderMap<Item>, tree: Branch): FaderMap<Item> {
  const gone = [...itemsOf(map)].filter((address) => levelIn(tree, address) === undefined);
  return changedItems(map, gone, () => undefined);
}
