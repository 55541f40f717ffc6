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
import { noSuchPath } from "./resources.ts";
import { find, nest, parsePath, type Path, type Tree } from "./tree.ts";

/**
 * Returns the value at a path, without a copy, so it must not be altered. `general` and meters are
 * brought up to date first if the path covers them. Refused as `nothingAt` says.
 */
export function get(console: Console, path: string): { readonly value: Tree } | Refusal {
  const members = parsePath(path);
  const [root, member] = members;
  if (root === undefined || root === "general") console.dispatch(refreshGeneral(member), DEVICE);
  console.reading(members);
  const value = find(console.state.tree, members);
  return value === undefined ? nothingAt(console.state, members) : { value };
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
