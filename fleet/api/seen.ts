/**
 * The part of the tree of a hub that a user sees: the consoles on which they have any right at all,
 * and their sites.
 *
 * @module
 */
import { type Branch, isBranch, type Patch, unlessEmpty } from "../../core/tree/tree.ts";
import type { HubCore } from "../hub/hub-core.ts";
import { type Person, rightAt, seesAll } from "../hub/rights.ts";
import { type ConsoleBranches, countSites, sitesBranch } from "./sites.ts";
import type { TreeChange } from "./fleet-tree.ts";

/** Returns the part of the tree of a hub that a user sees. */
export function seenTree(core: HubCore, user: Person | undefined, tree: Branch): Branch {
  if (user === undefined || seesAll(user) || !isBranch(tree.consoles)) return tree;
  const seen = Object.entries(tree.consoles).filter(([id]) => core.mayAt(user, id) !== undefined);
  const consoles = Object.fromEntries(seen) as ConsoleBranches;
  return { ...tree, consoles, sites: sitesBranch(countSites(consoles)) };
}

/** Returns the part of a change that a user sees; undefined if the user sees none of it. */
export function seenChange(
  user: Person | undefined,
  { patch, sites }: Pick<TreeChange, "patch" | "sites">,
): Patch | undefined {
  if (user === undefined || seesAll(user)) return patch;
  const seen = Object.entries(patch.consoles as Readonly<Record<string, Patch>>)
    .filter(([id]) => rightAt(user, id, sites.get(id)!) !== undefined);
  const consoles = unlessEmpty(Object.fromEntries(seen));
  return consoles && { consoles };
}
