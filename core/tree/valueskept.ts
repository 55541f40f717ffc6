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
 * Values that a restart has to find. At run time they are in force already: levels at which faders
 * came to rest, hours of operation. Values read from the log come into force once the whole log has
 * been read.
 */
export interface ValuesKept {
  readonly type: "valueskept";
  readonly patch: Patch;
}

/**
 * The event is durable: it only stores values in the log. A checkpoint has all stored values, in
 * small patches.
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
  // During a replay no fade is running, so no fader is unsynced.
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
 * Splits the stored values into one patch for each branch with values, so that no record is large.
 */
function* pieces(stored: Branch, path: Path = []): Generator<Patch> {
  const leaves: Record<string, Leaf> = {};
  for (const [member, value] of Object.entries(stored)) {
    if (isBranch(value)) yield* pieces(value, [...path, member]);
    else leaves[member] = value as Leaf;
  }
  if (Object.keys(leaves).length > 0) yield nest(path, leaves) as Patch;
}
