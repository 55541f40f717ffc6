/**
 * Values as the log keeps them: one nested object in the shape of the control tree, with what was ever
 * stored, whatever the configuration of the day has a place for. A start fits it into the tree that its
 * configuration makes, so a value comes back with the resource that it is of.
 *
 * A global label that was put back to its default is kept as "", so that a new default in the
 * configuration shows through; labels of channels are kept as `labels/channel-labels.ts` says.
 *
 * @module
 */
import type { Ranges } from "./build.ts";
import { isLeafDefinition } from "./leaf.ts";
import { type Branch, isBranch, type Leaf, type Patch, type Tree } from "./patch.ts";
import { nest, type Path } from "./path.ts";
import { acceptValue } from "./value.ts";

/** A change of the tree as the log keeps it. Items of lists are not kept: they follow from the rest. */
export function keptForm(tree: Tree, ranges: Ranges, patch: Patch): Patch {
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

/** What is kept, cut into one patch for each branch that holds values, so that no piece is large. */
export function* keptPieces(kept: Branch, path: Path = []): Generator<Patch> {
  const leaves: Record<string, Leaf> = {};
  for (const [member, value] of Object.entries(kept)) {
    if (isBranch(value)) yield* keptPieces(value, [...path, member]);
    else leaves[member] = value as Leaf;
  }
  if (Object.keys(leaves).length > 0) yield nest(path, leaves) as Patch;
}

/** What is kept, in two: what a tree takes, and what it has no place for or does not take there. */
export interface Placed {
  readonly known: Branch;
  /** Undefined for nothing. */
  readonly unknown: Branch | undefined;
}

/** Tells what of the kept values the tree of a configuration takes. */
export function placed(tree: Branch, ranges: Ranges, kept: Branch): Placed {
  const known: Record<string, Tree> = {};
  const unknown: Record<string, Tree> = {};
  for (const [member, value] of Object.entries(kept)) {
    const current = Object.hasOwn(tree, member) ? tree[member] : undefined;
    const definition = Object.hasOwn(ranges, member) ? ranges[member] : undefined;
    if (isBranch(current) && isBranch(value)) {
      const inner = placed(current, definition as Ranges ?? {}, value);
      if (Object.keys(inner.known).length > 0) known[member] = inner.known;
      if (inner.unknown !== undefined) unknown[member] = inner.unknown;
    } else {
      const takes = definition !== undefined && isLeafDefinition(definition)
        ? typeof acceptValue(definition, value, () => member) !== "object"
        : typeof current === typeof value && typeof current !== "object";
      (takes ? known : unknown)[member] = value;
    }
  }
  return { known, unknown: Object.keys(unknown).length > 0 ? unknown : undefined };
}
