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
 * What stands at a path, handed out as it is: no copy is made, nothing may be altered. `general` is
 * brought up to date first where the path covers it. Refused: what `nothingAt` says.
 */
export function get(console: Console, path: string): { readonly value: Tree } | Refusal {
  const members = parsePath(path);
  const [root, member] = members;
  if (root === undefined || root === "general") console.dispatch(refreshGeneral(member), DEVICE);
  const value = find(console.state.tree, members);
  return value === undefined ? nothingAt(console.state, members) : { value };
}

/** Why nothing stands at a path: it is unknown (6), or of external lists without the license (9). */
export function nothingAt({ configuration }: State, path: Path): Refusal {
  return listsRefusal(configuration, nest(path, true)) ?? noSuchPath(path);
}

/** The names of the children of what stands at a path (`?flat=true`); none below a value. */
export function childNames(value: Tree): string[] {
  return typeof value === "object" ? Object.keys(value) : [];
}
