/**
 * Reading the control tree: the method `get` (control-tree.md, "Messages").
 *
 * @module
 */
import type { Console } from "../console.ts";
import type { Refusal } from "../errors.ts";
import { refreshGeneral } from "../general.ts";
import { listsRefusal } from "../lists/branch.ts";
import type { State } from "../state.ts";
import { DEVICE } from "../users/user.ts";
import { isFormerLeaf, type Ranges } from "./leaf.ts";
import { noSuchPath } from "./resources.ts";
import { type Branch, find, isBranch, nest, parsePath, type Path, type Tree } from "./tree.ts";

/** How much of a branch is read. */
export interface Extent {
  /** Number of levels below the path that are read; a branch deeper down is `{}`. */
  readonly depth: number;
  /** The members that are read at the last of these levels; without them, all. */
  readonly only?: ReadonlySet<string> | undefined;
}

/**
 * Returns the value at a path, without a copy, so it must not be altered; with an extent, that part
 * of it. `general` and meters are brought up to date first if the path covers them. Refused as
 * `nothingAt` says.
 */
export function get(
  console: Console,
  path: string,
  extent?: Extent,
): { readonly value: Tree } | Refusal {
  const members = parsePath(path);
  const [root, member] = members;
  if (root === undefined || root === "general") console.dispatch(refreshGeneral(member), DEVICE);
  console.reading(members);
  const value = find(console.state.tree, members);
  if (value === undefined) return nothingAt(console.state, members);
  return { value: extent === undefined ? value : cut(value, extent) };
}

/**
 * Returns the `value` of a branch that older firmware knew as a leaf (`control/logics/{id}`); any
 * other value as it is.
 */
export function asFormerLeaf({ state }: Console, path: string, value: Tree): Tree {
  if (!isBranch(value)) return value;
  const members = parsePath(path);
  const ranges = find(state.ranges as Branch, members);
  if (!isFormerLeaf(ranges as Ranges | undefined)) return value;
  // An extent may have left the value out.
  return find(state.tree, [...members, "value"])!;
}

/**
 * Returns the part of a value that an extent names. Each branch below is cut only when it is read:
 * so an answer written in steps is cut in steps.
 */
export function cut(value: Tree, { depth, only }: Extent): Tree {
  if (!isBranch(value)) return value;
  const kept: Record<string, Tree> = {};
  if (depth === 0) return kept;
  for (const member of Object.keys(value)) {
    if (depth === 1 && only?.has(member) === false) continue;
    const inner = value[member]!;
    if (isBranch(inner)) defineCut(kept, member, inner, { depth: depth - 1, only });
    else kept[member] = inner;
  }
  return kept;
}

function defineCut(kept: Branch, member: string, inner: Branch, extent: Extent): void {
  Object.defineProperty(kept, member, { enumerable: true, get: () => cut(inner, extent) });
}

/**
 * Says why there is no value at a path: the path is unknown (6), or belongs to external lists, for
 * which this console has no license (9).
 */
export function nothingAt({ configuration }: State, path: Path): Refusal {
  return listsRefusal(configuration, nest(path, true)) ?? noSuchPath(path);
}

/** Lists the names of the children of a branch (`?flat=true`); a leaf has none. */
export function childNames(value: Tree): string[] {
  return typeof value === "object" ? Object.keys(value) : [];
}
