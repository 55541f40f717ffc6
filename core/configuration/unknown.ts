/**
 * Values of resources that are missing from the configuration in force stay in the log
 * (decisions.md, "Backup"), because they may belong to another console, or come back with the
 * resource.
 *
 * @module
 */
import type { State } from "../state.ts";
import { mayStand } from "../tree/fit.ts";
import type { Ranges } from "../tree/leaf.ts";
import { type Branch, formatPath, isBranch, type Path } from "../tree/tree.ts";
import { without } from "../without.ts";

/**
 * Returns the paths of the values for which the configuration in force has no place:
 * `/audio/mixers/7`, `/pictures/3`.
 */
export function unknownPaths(state: State): string[] {
  const pictures = unknownPictures(state).map((id) => ["pictures", String(id)]);
  return [...unknownValues(state), ...pictures].map(formatPath);
}

/** Returns the state without these values. */
export function withoutUnknown(state: State): State {
  return {
    ...state,
    pictures: without(state.pictures, ...unknownPictures(state)),
    stored: unknownValues(state).reduce(withoutPath, state.stored),
  };
}

function unknownPictures({ pictures, configuration }: State): number[] {
  return [...pictures.keys()]
    .filter((id) => !configuration.resources.some((resource) => resource.id === id));
}

/**
 * Finds the paths of the values stored for the tree that have no place in it; for a whole mixer
 * only the path of the mixer.
 */
function unknownValues({ configuration, initial, ranges, stored }: State): Path[] {
  const all = configuration.mixers.flatMap(({ faders }) => faders.map(({ channel }) => channel));
  // The labels of channels stand in the log and nowhere in the tree.
  const channels = Object.fromEntries(all.map((channel) => [channel, { label: "" }]));
  const tree = { ...initial, audio: { ...initial.audio as Branch, channels } };
  return [...unknownIn(tree, ranges, stored, [])];
}

function* unknownIn(tree: Branch, ranges: Ranges, stored: Branch, path: Path): Generator<Path> {
  for (const [member, value] of Object.entries(stored)) {
    const current = Object.hasOwn(tree, member) ? tree[member] : undefined;
    const definition = Object.hasOwn(ranges, member) ? ranges[member] : undefined;
    if (isBranch(current) && isBranch(value)) {
      yield* unknownIn(current, definition as Ranges | undefined ?? {}, value, [...path, member]);
    } else if (!mayStand(value, current, definition)) yield [...path, member];
  }
}

/** Returns a branch without the value at a path, and without branches that are empty then. */
function withoutPath(branch: Branch, [member, ...below]: Path): Branch {
  const { [member!]: gone, ...rest } = branch;
  const left = below.length === 0 ? {} : withoutPath(gone as Branch, below);
  return Object.keys(left).length === 0 ? rest : { ...rest, [member!]: left };
}
