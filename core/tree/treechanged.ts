/**
 * The live tree changes by this event and no other.
 *
 * @module
 */
import { type EventDefinition, type Note, nothing, plainJson } from "../event.ts";
import {
  type FaderLevel,
  levelsPatch,
  onlyUnsynced,
  unsyncedAfterChange,
} from "../fades/unsynced.ts";
import { type LabelChange, labelChange, labelsBack } from "../labels/channel-labels.ts";
import { labelledFaders } from "../labels/channels.ts";
import type { State } from "../state.ts";
import { isLeafDefinition, type Ranges } from "./leaf.ts";
import { type Branch, combine, isBranch, merge, type Patch, type Tree } from "./tree.ts";
import type { ValuesKept } from "./valueskept.ts";

/** Values of the live tree changed, for good or until the next start. */
export interface TreeChanged {
  readonly type: "treechanged";
  /**
   * The part that the log keeps; absent if a restart forgets the change: meters, clocks, logins,
   * fades.
   */
  readonly kept?: Patch;
  /** Set on a step of fades, which moves only the faders that nobody has set since. */
  readonly ofFades?: true;
  /** The number of such a step on the grid of 20 ms: the next step has the next number. */
  readonly tick?: number;
  /** Set if the patch has only meters (`meters.ts`), which few subscribers want. */
  readonly ofMeters?: true;
  readonly patch: Patch;
}

/**
 * The event is durable if it has a `kept` part. A record and a checkpoint have only that part, as
 * `valueskept`: a restart finds it there and fits it into its own tree.
 */
export const treechanged: EventDefinition<TreeChanged> = {
  reduce(state, { patch, kept, ofFades }): State {
    const { unsynced, tree, stored } = state;
    if (ofFades === true) return { ...state, tree: merge(tree, onlyUnsynced(unsynced, patch)) };
    const changed = { ...state, tree: merge(tree, patch) };
    if (kept === undefined) return changed;
    const settled = unsynced.size === 0 ? unsynced : unsyncedAfterChange(unsynced, patch);
    return { ...changed, stored: merge(stored, kept), unsynced: settled };
  },
  log: {
    ...plainJson,
    keeps: ({ kept }) => kept !== undefined,
    ifNotStored: "inForce",
    write: ({ kept }) => plainJson.write({ type: "valueskept", patch: kept! } as ValuesKept),
    checkpoint: nothing,
  },
  tell({ tree }, { patch, kept, ofFades, ofMeters }, note) {
    if (ofFades === true || ofMeters === true) return;
    // Setting a moving fader to its present level ends its fade, so it is noted although no value
    // differs; values that another configuration carries over are not noted.
    noteLeaves(tree, patch, "", kept !== undefined, note);
  },
};

function noteLeaves(
  tree: Tree | undefined,
  patch: Patch,
  path: string,
  same: boolean,
  note: Note,
): void {
  for (const member of Object.keys(patch)) {
    const before = (tree as Branch | undefined)?.[member];
    const after = patch[member]!;
    if (isBranch(after)) noteLeaves(before, after as Patch, `${path}/${member}`, same, note);
    else if (same || before !== after) note(`${path}/${member}`, before, after);
  }
}

/**
 * Makes the events of a change that a restart forgets: none where nothing differs from before. Such
 * a change names no label and no channel of a fader.
 */
export function volatileChange(patch: Patch | undefined): TreeChanged[] {
  return patch === undefined ? [] : [{ type: "treechanged", patch }];
}

/** Makes the event of meters that moved; no event if none did. */
export function metersMoved(patch: Patch | undefined): TreeChanged[] {
  return patch === undefined ? [] : [{ type: "treechanged", ofMeters: true, patch }];
}

/** Makes the event of one step of fades; without a `tick` the step is not on the grid. */
export function fadeStep(levels: readonly FaderLevel[], tick?: number): TreeChanged {
  const step = { type: "treechanged", ofFades: true, patch: levelsPatch(levels) } as const;
  return tick === undefined ? step : { ...step, tick };
}

/**
 * Makes the events of a durable change: none where nothing differs from before. `written` is the
 * complete content that was set or loaded, `patch` the part of it that differs; both are nested
 * from the root. Labels follow their channels: `labelled` are the faders that get another label or
 * another channel.
 */
export function durableChange(
  state: State,
  patch: Patch | undefined,
  written: Patch,
  labelled = labelledFaders(patch ?? {}),
): TreeChanged[] {
  if (patch === undefined) return [];
  const type = "treechanged";
  const { tree, ranges } = state;
  if (labelled.size === 0) return [{ type, kept: keptForm(tree, ranges, patch), patch }];
  return withLabels(state, labelChange(state, patch, written, labelled));
}

/**
 * Makes the event of a change that puts values back which were in force before: none where nothing
 * differs. The patch may have values that clients only read.
 */
export function changeBack(state: State, patch: Patch): TreeChanged[] {
  return withLabels(state, labelsBack(state, patch));
}

function withLabels({ tree, ranges }: State, { rest, shown, kept }: LabelChange): TreeChanged[] {
  const patch = combine(rest, shown);
  if (Object.keys(patch).length === 0) return [];
  return [{ type: "treechanged", kept: combine(keptForm(tree, ranges, rest), kept), patch }];
}

/**
 * Returns a change of the tree as the log keeps it. A global label that was put back to its default
 * is kept as "", so that a new default in the configuration shows through;
 * `labels/channel-labels.ts` says how labels of channels are kept. Items of lists are not kept, for
 * they follow from the rest.
 */
function keptForm(tree: Tree, ranges: Ranges, patch: Patch): Patch {
  const kept: Record<string, Patch[string]> = {};
  for (const [member, value] of Object.entries(patch)) {
    const current = (tree as Branch)[member]!;
    const definition = ranges[member];
    if (definition !== undefined && isLeafDefinition(definition)) {
      const reset = definition.type === "string" ? definition.reset : undefined;
      kept[member] = reset !== undefined && value === definition.default ? reset : value;
    } else if (!isBranch(value)) {
      kept[member] = value;
    } else if (!Array.isArray(current)) {
      kept[member] = keptForm(current, definition ?? {}, value as Patch);
    }
  }
  return kept;
}
