/**
 * A patch is a nested partial of the control tree: what changed, and only that. The reducer merges
 * it, a subscriber is sent the part of it below its path, and the log stores it.
 *
 * @module
 */

/** A value of the control tree that is set whole: a number, boolean, string, or list of them. */
export type Leaf = number | boolean | string | readonly (number | string)[];

/** A branch of the control tree. Immutable: a change makes new branches along its path. */
export interface Branch {
  readonly [member: string]: Tree;
}

/** Any part of the control tree; `Branch[]` is a mixer's `sourcelist`. */
export type Tree = Leaf | Branch | readonly Branch[];

/** A nested partial of the tree: what changed, and only that. */
export interface Patch {
  readonly [member: string]: Leaf | Patch;
}

/** Tells a branch from a leaf; a list counts as a leaf, for it is set whole. */
export function isBranch(node: unknown): node is Branch {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

/**
 * The tree with a patch merged into it. Only the objects on the way are copied, each once however
 * many leaves change in it, so the cost does not grow with the console. An item of a list is patched
 * by its index as a key: `{ sourcelist: { 3: { _label: "Host" } } }`.
 */
export function merge(tree: Branch, patch: Patch): Branch {
  return mergeNode(tree, patch) as Branch;
}

function mergeNode(node: Tree | undefined, patch: Patch[string]): Tree {
  if (!isBranch(patch)) return patch as Leaf;
  const copy = copyOf(node as Branch | readonly Branch[] | undefined, patch);
  for (const member in patch) copy[member] = mergeNode(copy[member], patch[member]!);
  return copy;
}

/**
 * A copy of one branch. V8 spreads a branch of a few names fastest, but takes a hundred times as long
 * for a thousand numbers as `Object.assign` does, so branches keyed by numbers (faders, mixers) are
 * told by the first key of the patch.
 */
function copyOf(node: Branch | readonly Branch[] | undefined, patch: Patch): Record<string, Tree> {
  if (Array.isArray(node)) return node.slice() as unknown as Record<string, Tree>;
  for (const member in patch) {
    const first = member.charCodeAt(0);
    return first >= DIGIT_0 && first <= DIGIT_9
      ? Object.assign({}, node as Branch)
      : { ...node as Branch };
  }
  return { ...node as Branch };
}

const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** One patch that does what `earlier` and then `later` do: a leaf in both has its later value. */
export function combine(earlier: Patch, later: Patch): Patch {
  const both: Record<string, Patch[string]> = { ...earlier };
  for (const member in later) {
    const before = both[member];
    const after = later[member]!;
    both[member] = isBranch(before) && isBranch(after)
      ? combine(before as Patch, after as Patch)
      : after;
  }
  return both;
}
