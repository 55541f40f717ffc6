/**
 * A console that gets another configuration while it lives: what still exists keeps its values, the
 * rest goes.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "../snapshots/canonical.ts";
import { factorySnapshots } from "../snapshots/factory.ts";
import type { State } from "../state.ts";
import { type Branch, merge, type Patch } from "../tree/patch.ts";
import { allSourceLabels } from "../tree/change.ts";
import { difference } from "../tree/difference.ts";
import { fit } from "../tree/fit.ts";
import { initialTree } from "../tree/initial.ts";
import { find } from "../tree/path.ts";
import { levelPath } from "../fades/fade.ts";
import type { Configuration } from "./configuration.ts";
import type { WrittenConfiguration } from "./schema.ts";

/** What a document is known by: the same for the same JSON, whatever the order of its members. */
export function documentHash(written: WrittenConfiguration): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(written))));
}

/** The read-only members that a restart finds again. */
const KEPT = ["_lastloadedsnap", "_hourmeter"];

/** The values that differ from those the configuration gave, of those that survive a restart. */
export function liveValues({ initial, tree }: State): Patch {
  const takes = (member: string) => !member.startsWith("_") || KEPT.includes(member);
  return difference(initial, tree, takes) ?? {};
}

/** The values that differ and do not survive a restart, as far as another state has them. */
export function passingValues({ initial, tree }: State, { tree: target, ranges }: State) {
  const takes = (member: string) => member.startsWith("_") && !KEPT.includes(member);
  const values = difference(initial, tree, takes);
  return values && fit(target, ranges, values as unknown as Branch, "take");
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
    moving: new Map(
      [...state.moving].filter(([, fader]) => find(initial, levelPath(fader)) !== undefined),
    ),
  };
  const labels = allSourceLabels(next);
  return labels === undefined ? next : { ...next, tree: merge(next.tree, labels) };
}
