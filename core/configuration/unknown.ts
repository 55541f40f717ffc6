/**
 * Values of resources that the configuration in force does not have (decisions.md, "Backup"): they stay
 * in the log, for they may be another console's, or come back with the resource.
 *
 * @module
 */
import type { Command } from "../console.ts";
import type { State } from "../state.ts";
import { placed } from "../tree/kept.ts";
import { type Branch, isBranch, type Tree } from "../tree/patch.ts";
import type { Initial } from "../tree/initial.ts";
import { formatPath, type Path } from "../tree/path.ts";

/** What the configuration in force has no place for is to be kept no more. A checkpoint makes it so. */
export interface UnknownDropped {
  readonly type: "unknowndropped";
}

/** Where what the configuration in force has no place for belongs: `/audio/mixers/7`, `/pictures/3`. */
export function unknownPaths(state: State): string[] {
  const { tree, ranges } = keptTree(state);
  const { unknown } = placed(tree, ranges, state.stored);
  const values = unknown === undefined ? [] : topmost(unknown, tree, []);
  return [...values, ...unknownPictures(state).map((id) => ["pictures", String(id)])]
    .map(formatPath);
}

/** Drops all of it; answers where it belonged. */
export const dropUnknown: Command<readonly string[]> = (state) => ({
  events: [{ type: "unknowndropped" }],
  result: unknownPaths(state),
});

/** The state without it. */
export function reduceUnknown(state: State): State {
  const pictures = new Map(state.pictures);
  for (const id of unknownPictures(state)) pictures.delete(id);
  const { tree, ranges } = keptTree(state);
  return { ...state, pictures, stored: placed(tree, ranges, state.stored).known };
}

/** The tree with the channels, which have a place of their own in the log alone. */
function keptTree({ configuration, initial, ranges }: State): Pick<Initial, "tree" | "ranges"> {
  const all = configuration.mixers.flatMap(({ faders }) => faders.map(({ channel }) => channel));
  const channels = Object.fromEntries(all.map((channel) => [channel, { label: "" }]));
  return {
    tree: { ...initial, audio: { ...initial.audio as Branch, channels } },
    ranges,
  };
}

function unknownPictures({ pictures, configuration }: State): number[] {
  return [...pictures.keys()]
    .filter((id) => !configuration.resources.some((resource) => resource.id === id));
}

/** The paths of what is not in a tree: of a mixer that is not, that of the mixer alone. */
function topmost(unknown: Branch, tree: Tree | undefined, path: Path): Path[] {
  return Object.entries(unknown).flatMap(([member, value]) => {
    const there = isBranch(tree) && Object.hasOwn(tree, member) ? tree[member] : undefined;
    const below = [...path, member];
    return isBranch(value) && isBranch(there) ? topmost(value, there, below) : [below];
  });
}
