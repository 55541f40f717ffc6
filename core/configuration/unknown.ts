/**
 * Values of resources that the configuration in force does not have (decisions.md, "Backup"): they stay
 * in the log, for they may be another console's, or come back with the resource.
 *
 * @module
 */
import type { Command } from "../command.ts";
import type { State } from "../state.ts";
import { placed, unknownPictures } from "./placed.ts";
import { type Branch, formatPath, isBranch, type Path, type Tree } from "../tree/tree.ts";

/** Where what the configuration in force has no place for belongs: `/audio/mixers/7`, `/pictures/3`. */
export function unknownPaths(state: State): string[] {
  const { unknown, tree } = placed(state);
  const values = unknown === undefined ? [] : topmost(unknown, tree, []);
  return [...values, ...unknownPictures(state).map((id) => ["pictures", String(id)])]
    .map(formatPath);
}

/** Drops all of it; answers where it belonged. */
export const dropUnknown: Command<readonly string[]> = (state) => ({
  events: [{ type: "unknowndropped" }],
  result: unknownPaths(state),
});

/** The paths of what is not in a tree: of a mixer that is not, that of the mixer alone. */
function topmost(unknown: Branch, tree: Tree | undefined, path: Path): Path[] {
  return Object.entries(unknown).flatMap(([member, value]) => {
    const there = isBranch(tree) && Object.hasOwn(tree, member) ? tree[member] : undefined;
    const below = [...path, member];
    return isBranch(value) && isBranch(there) ? topmost(value, there, below) : [below];
  });
}
