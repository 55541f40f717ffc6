/**
 * The event by which the live tree changes.
 *
 * @module
 */
import { adriftPart, settledBy } from "../fades/adrift.ts";
import type { State } from "../state.ts";
import { keptForm } from "./kept.ts";
import { type Branch, combine, isBranch, merge, type Patch } from "./patch.ts";
import { find } from "./path.ts";

/** Values of the live tree changed. */
export interface TreeChanged {
  readonly type: "treechanged";
  /** What the log keeps of it; absent where a restart forgets it: meters, clocks, logins, fades. */
  readonly kept?: Patch;
  /** A step of fades: it moves only faders that nobody has set since. */
  readonly ofFades?: true;
  readonly patch: Patch;
}

/** The change that a patch makes, with what follows from it: labels also show in `sourcelist`. */
export function treeChanged(state: State, patch: Patch, durable = true): TreeChanged {
  const sources = sourceLabels(state, patch);
  const whole = sources === undefined ? patch : combine(patch, sources);
  const kept = durable ? { kept: keptForm(state.tree, state.ranges, whole) } : {};
  return { type: "treechanged", ...kept, patch: whole };
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

/** The labels of a whole tree, for the sources that show them: what follows from a replayed log. */
export function allSourceLabels(state: State): Patch | undefined {
  return sourceLabels(state, state.tree as unknown as Patch);
}

function sourceLabels({ configuration, tree }: State, patch: Patch): Patch | undefined {
  const changed = find(patch as unknown as Branch, ["audio", "mixers"]);
  if (!isBranch(changed)) return undefined;
  const mixers: Record<string, Patch> = {};
  for (const mixer of configuration.mixers) {
    const faders = changed[mixer.id] === undefined
      ? undefined
      : (changed[mixer.id] as Branch).faders;
    if (!isBranch(faders)) continue;
    const sources: Record<string, Patch> = {};
    for (const [id, fader] of Object.entries(faders)) {
      const label = (fader as Branch).label;
      if (label === undefined) continue;
      const position = positionOf(mixer.faders, Number(id));
      const shown = find(tree, [
        "audio",
        "mixers",
        String(mixer.id),
        "sourcelist",
        String(position),
      ]);
      if (isBranch(shown) && shown._label !== label) {
        sources[position] = { _label: label as string };
      }
    }
    if (Object.keys(sources).length > 0) mixers[mixer.id] = { sourcelist: sources };
  }
  return Object.keys(mixers).length > 0 ? { audio: { mixers } } : undefined;
}

/** Mostly fader n is the n-th; where it is not, it is looked for. */
function positionOf(faders: readonly { readonly id: number }[], id: number): number {
  return faders[id]?.id === id ? id : faders.findIndex((fader) => fader.id === id);
}
