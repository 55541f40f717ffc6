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
  const copy = (Array.isArray(node) ? node.slice() : { ...node as Branch }) as Record<string, Tree>;
  for (const member in patch) copy[member] = mergeNode(copy[member], patch[member]!);
  return copy;
}

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
