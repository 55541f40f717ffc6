import type { EventDefinition } from "../event.ts";
import { restedAt } from "../fades/adrift.ts";
import { type Branch, isBranch, type Leaf, merge, nest, type Patch, type Path } from "./tree.ts";

/**
 * Values are to be found by a restart. They are in force already: levels at which faders came to rest,
 * hours of operation; or they come from the log, to be put in force when all of it was read.
 */
export interface ValuesKept {
  readonly type: "valueskept";
  readonly patch: Patch;
}

/** Durable. */
export const valueskept: EventDefinition<ValuesKept> = {
  reduce(state, { patch }) {
    const { adrift, tree, stored } = state;
    return { ...state, stored: merge(stored, patch), adrift: restedAt(adrift, tree, patch) };
  },
  log: {
    keeps: () => true,
    // The name that these have in logs: they are what is kept of changes of the tree.
    write: ({ patch }) => ({ json: JSON.stringify({ type: "treechanged", patch }) }),
    read: (written) => written,
    *checkpoint({ stored }) {
      for (const patch of pieces(stored)) yield { type: "valueskept", patch };
    },
  },
};

/** What is stored, cut into one patch for each branch that holds values, so that no piece is large. */
function* pieces(stored: Branch, path: Path = []): Generator<Patch> {
  const leaves: Record<string, Leaf> = {};
  for (const [member, value] of Object.entries(stored)) {
    if (isBranch(value)) yield* pieces(value, [...path, member]);
    else leaves[member] = value as Leaf;
  }
  if (Object.keys(leaves).length > 0) yield nest(path, leaves) as Patch;
}
