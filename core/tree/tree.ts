/**
 * The control tree as an immutable value of branches and leaves, and paths in it. A patch is a
 * nested part of the tree with only the changed leaves. An event merges it, a subscriber receives
 * the part below its path, and the log stores it.
 *
 * Clients write paths with and without the leading or a trailing slash (control-tree.md,
 * "Messages").
 *
 * @module
 */

/**
 * A value of the control tree that is set as a whole: a number, boolean, string, or a list of
 * these; or a list of branches (the `sourcelist` of a mixer, the `_entries` of an external list),
 * whose items can also be patched.
 */
export type Leaf = number | boolean | string | readonly (number | string)[] | readonly Branch[];

/** A branch of the control tree. It is immutable: a change makes new branches along its path. */
export interface Branch {
  readonly [member: string]: Tree;
}

/** Any part of the control tree: a leaf or a branch. */
export type Tree = Leaf | Branch;

/** A patch: a nested part of the tree with only the changed leaves. */
export interface Patch {
  readonly [member: string]: Leaf | Patch;
}

/** Says whether a node is a branch; a list counts as a leaf, because it is set as a whole. */
export function isBranch(node: unknown): node is Branch {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

/** Returns the branch that is a member of another; an empty one where there is none. */
export function branchAt(branch: Branch, member: string): Branch {
  const inner = Object.hasOwn(branch, member) ? branch[member] : undefined;
  return isBranch(inner) ? inner : {};
}

/** Says whether two leaves are the same; lists are compared by their items. */
export function isSameLeaf(one: Tree | undefined, other: Tree): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Returns the patch, or undefined if it is empty. */
export function unlessEmpty<Change extends object>(patch: Change): Change | undefined {
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Returns the members of `after` that differ in `before` or are absent there. */
export function differing(before: object, after: Readonly<Record<string, Leaf>>): Patch {
  const members = Object.entries(after)
    .filter(([member, value]) => value !== (before as Branch)[member]);
  return Object.fromEntries(members);
}

/**
 * A member that a patch may have in a log from elsewhere. In Node this member of an object is its
 * prototype, so merging it could alter all objects. Deno has no such member, but once it was used,
 * mentions it in every later failure of the process.
 */
const PROTOTYPE = "__proto__";

/**
 * Merges a patch into a tree. Only the objects on the paths of the patch are copied, each once
 * however many of its leaves change, so the cost does not grow with the size of the console. An
 * item of a list is patched by its index as a key: `{ sourcelist: { 3: { _label: "Host" } } }`.
 */
export function merge(tree: Branch, patch: Patch): Branch {
  return mergeNode(tree, patch) as Branch;
}

function mergeNode(node: Tree | undefined, patch: Patch): Tree {
  const copy = copyOf(node as Branch | readonly Branch[] | undefined);
  // For speed, leaves are recognized inline, and `Object.keys` is used instead of `for in`: with
  // 512 faders in one patch these are most of its cost. JSON has null in place of an infinite
  // number.
  for (const member of Object.keys(patch)) {
    if (member === PROTOTYPE) continue;
    const value = patch[member]!;
    copy[member] = typeof value === "object" && value !== null && !Array.isArray(value)
      ? mergeNode(copy[member], value as Patch)
      : value as Leaf;
  }
  return copy;
}

/**
 * Merges a patch in place into a tree that nobody else refers to. The result is that of {@link
 * merge}, in a fraction of the time.
 */
export function mergeInto(tree: Branch, patch: Patch): void {
  const node = tree as Record<string, Tree>;
  for (const member of Object.keys(patch)) {
    if (member === PROTOTYPE) continue;
    const value = patch[member]!;
    const before = node[member];
    if (!isBranch(value)) node[member] = value;
    else if (isBranch(before)) mergeInto(before, value as Patch);
    else node[member] = mergeNode(before, value as Patch);
  }
}

/**
 * V8 copies a branch with `Object.assign` in 30 ns; a spread of objects with many shapes takes 300
 * ns.
 */
function copyOf(node: Branch | readonly Branch[] | undefined): Record<string, Tree> {
  return Array.isArray(node)
    ? node.slice() as unknown as Record<string, Tree>
    : Object.assign({}, node as Branch);
}

/**
 * Makes one patch with the effect of `earlier` and then `later`: a leaf in both has its later
 * value.
 */
export function combine(earlier: Patch, later: Patch): Patch {
  const both: Record<string, Patch[string]> = { ...earlier };
  for (const member in later) {
    const before = both[member];
    const after = later[member]!;
    if (!isBranch(after) || before === undefined) both[member] = after;
    else if (isBranch(before)) both[member] = combine(before as Patch, after as Patch);
    // `later` patches an item of a list that is complete in `earlier`.
    else both[member] = mergeNode(before, after as Patch) as Leaf;
  }
  return both;
}

/** A path: the names of the members from the root down. The path of the root is `[]`. */
export type Path = readonly string[];

/** Reads a path: `"/audio/mixers/0/"` is `["audio", "mixers", "0"]`. */
export function parsePath(text: string): Path {
  return text.split("/").filter((member) => member !== "");
}

/** Formats a path with a leading slash and without a trailing one. */
export function formatPath(path: Path): string {
  return "/" + path.join("/");
}

/**
 * Returns the value at a path, or undefined. Only own members count, and only the items of a list,
 * so `constructor` and `length` are not found.
 */
export function find(tree: Tree, path: Path): Tree | undefined {
  let node: Tree | undefined = tree;
  for (const member of path) {
    if (typeof node !== "object" || !Object.hasOwn(node, member)) return undefined;
    if (Array.isArray(node) && member === "length") return undefined;
    node = (node as Record<string, Tree>)[member];
  }
  return node;
}

/**
 * Returns the part of a patch at and below a path, still nested from the root; undefined if there
 * is none.
 */
export function patchBelow(patch: Patch, path: Path): Patch | undefined {
  let node: Patch[string] = patch;
  for (const member of path) {
    if (typeof node !== "object" || !Object.hasOwn(node, member)) return undefined;
    node = (node as Patch)[member]!;
  }
  return nest(path, node) as Patch;
}

/** Nests a value at a path: `nest(["audio", "x"], 1)` is `{ audio: { x: 1 } }`. */
export function nest(path: Path, value: Patch[string]): Patch[string] {
  return path.reduceRight<Patch[string]>((inner, member) => ({ [member]: inner }), value);
}
