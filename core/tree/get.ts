/**
 * Reading the control tree: the method `get` (control-tree.md, "Messages").
 *
 * @module
 */
import type { Console } from "../console.ts";
import type { Refusal } from "../errors.ts";
import { refreshGeneral } from "../general.ts";
import { DEVICE } from "../users/user.ts";
import type { Tree } from "./patch.ts";
import { find, parsePath } from "./path.ts";
import { noSuchPath } from "./write.ts";

/**
 * What stands at a path, handed out as it is: no copy is made, nothing may be altered. `general` is
 * brought up to date first where the path covers it. Refused: an unknown path (6).
 */
export function get(console: Console, path: string): { readonly value: Tree } | Refusal {
  const members = parsePath(path);
  const [root, member] = members;
  if (root === undefined || root === "general") console.dispatch(refreshGeneral(member), DEVICE);
  const value = find(console.state.tree, members);
  return value === undefined ? noSuchPath(members) : { value };
}

/** The names of the children of what stands at a path (`?flat=true`); none below a value. */
export function childNames(value: Tree): string[] {
  return typeof value === "object" ? Object.keys(value) : [];
}
