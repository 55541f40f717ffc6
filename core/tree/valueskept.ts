import { type EventDefinition, plainJson, tellsNothing } from "../event.ts";
import { unsyncedAfterKept } from "../fades/unsynced.ts";
import type { State } from "../state.ts";
import {
  type Branch,
  isBranch,
  type Leaf,
  merge,
  mergeInto,
  nest,
  type Patch,
  type Path,
} from "./tree.ts";

/**
 * These values are what a restart finds. Some are in force already: levels at which faders came to
 * rest, hours of operation. Those that come from the log are put in force when all of it was read.
 */
export interface ValuesKept {
  readonly type: "valueskept";
  readonly patch: Patch;
}

/**
 * It is durable, for it says only what the log is to keep. A checkpoint has all that is stored, in
 * patches that are small each.
 */
export const valueskept: EventDefinition<ValuesKept> = {
  reduce(state, { patch }): State {
    const { unsynced, tree, stored } = state;
    return {
      ...state,
      stored: merge(stored, patch),
      unsynced: unsyncedAfterKept(unsynced, tree, patch),
    };
  },
  // No fader moves yet, so none is unsynced.
  change: ({ stored }, { patch }) => mergeInto(stored, patch),
  log: {
    ...plainJson,
    ifNotStored: "inForce",
    *checkpoint({ stored }) {
      for (const patch of pieces(stored)) yield { type: "valueskept", patch };
    },
  },
  tell: tellsNothing,
};

/**
 * Cuts what is stored into one patch for each branch that holds values, so that no piece is large.
 */
function* pieces(stored: Branch, path: Path = []): Generator<Patch> {
  const leaves: Record<string, Leaf> = {};
  for (const [member, value] of Object.entries(stored)) {
    if (isBranch(value)) yield* pieces(value, [...path, member]);
    else leaves[member] = value as Leaf;
  }
  if (Object.keys(leaves).length > 0) yield nest(path, leaves) as Patch;
}
