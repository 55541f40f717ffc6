/**
 * The part of the tree of a hub that a user sees: the consoles on which they have any right at all.
 *
 * @module
 */
import { type Branch, isBranch, type Patch, unlessEmpty } from "../../core/tree/tree.ts";
import type { HubCore } from "../hub/hub-core.ts";
import { type Person, rightAt, seesAll } from "../hub/rights.ts";
import type { TreeChange } from "./fleet-tree.ts";

/** Returns the part of the tree of a hub that a user sees. */
export function seenTree(core: HubCore, user: Person | undefined, tree: Branch): Branch {
  if (user === undefined || seesAll(user) || !isBranch(tree.consoles)) return tree;
  const seen = Object.entries(tree.consoles).filter(([id]) => core.mayAt(user, id) !== undefined);
  return { ...tree, consoles: Object.fromEntries(seen) };
}

/** Returns the part of a change that a user sees; undefined if the user sees none of it. */
export function seenChange(
  user: Person | undefined,
  { patch, sites }: TreeChange,
): Patch | undefined {
  if (user === undefined || seesAll(user)) return patch;
  const seen = Object.entries(patch.consoles as Readonly<Record<string, Patch>>)
    .filter(([id]) => rightAt(user, id, sites.get(id)!) !== undefined);
  const consoles = unlessEmpty(Object.fromEntries(seen));
  return consoles && { consoles };
}

/** Says whether a console has moved to or from a site for which a user has a right of their own. */
export function isMovedFor(user: Person, { moved, sites }: TreeChange): boolean {
  return Object.entries(moved!.consoles as Readonly<Record<string, Branch>>).some(
    ([id, { _site }]) => rightAt(user, id, _site as string) !== rightAt(user, id, sites.get(id)!),
  );
}
