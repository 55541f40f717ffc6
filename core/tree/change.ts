/**
 * The event by which the live tree changes.
 *
 * @module
 */
import { adriftPart, settledBy } from "../fades/adrift.ts";
import { labelChange } from "../labels/channel-labels.ts";
import type { State } from "../state.ts";
import { keptForm } from "./kept.ts";
import { combine, merge, type Patch } from "./patch.ts";

/** Values of the live tree changed. */
export interface TreeChanged {
  readonly type: "treechanged";
  /** What the log keeps of it; absent where a restart forgets it: meters, clocks, logins, fades. */
  readonly kept?: Patch;
  /** A step of fades: it moves only faders that nobody has set since. */
  readonly ofFades?: true;
  readonly patch: Patch;
}

/** The change that a patch makes, with what follows from it: labels follow their channels. */
export function treeChanged(
  state: State,
  patch: Patch,
  durable = true,
  written = patch,
): TreeChanged {
  const labels = labelChange(state, patch, written);
  const { rest, shown, kept } = labels ?? { rest: patch, shown: {}, kept: {} };
  return {
    type: "treechanged",
    ...(durable ? { kept: combine(keptForm(state.tree, state.ranges, rest), kept) } : {}),
    patch: combine(rest, shown),
  };
}

/**
 * The events of a durable change: none where nothing is another than before. `written` is all that was
 * set or loaded, `patch` what of it differs; both nested from the root.
 */
export function durableChange(
  state: State,
  patch: Patch | undefined,
  written: Patch,
): TreeChanged[] {
  if (patch === undefined) return [];
  const changed = treeChanged(state, patch, true, written);
  return Object.keys(changed.patch).length === 0 ? [] : [changed];
}

/** The state after a change of the tree. */
export function changeTree(state: State, { patch, kept, ofFades }: TreeChanged): State {
  const { adrift, tree, stored } = state;
  if (ofFades === true) return { ...state, tree: merge(tree, adriftPart(adrift, patch)) };
  const changed = { ...state, tree: merge(tree, patch) };
  if (kept === undefined) return changed;
  const settled = adrift.size > 0 ? settledBy(adrift, patch) : adrift;
  return { ...changed, stored: merge(stored, kept), adrift: settled };
}
