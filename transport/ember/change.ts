/**
 * Changes of the control tree as changes of parameters of Ember+.
 *
 * @module
 */
import type { State } from "../../core/state.ts";
import { find, isBranch, type Patch, type Path, type Tree } from "../../core/tree/tree.ts";
import type { Carriers } from "./carriers.ts";
import { channelPaths, describedChannel } from "./device/channels.ts";
import { devicePaths } from "./device/device.ts";
import type { Places } from "./device/places.ts";
import { routedTarget } from "./device/routing.ts";
import { treeNumbers } from "./tree-node.ts";

/** A parameter whose value has changed, at one of its paths. */
export interface Change {
  /** The path as text; `above` is the path of the node above. */
  readonly key: string;
  readonly above: string;
  readonly numbers: readonly number[];
  /**
   * The part that is sent: the value, the whole parameter, a node with its description, the items
   * of a list, or a connection.
   */
  readonly what: "value" | "parameter" | "node" | "list" | "connection";
  /** The path in the control tree; for a connection the path of its route. */
  readonly path: Path;
}

/** A path as text, for maps. */
export function keyOf(numbers: readonly number[]): string {
  return numbers.join(".");
}

/** Returns the changes of the parameters that show the values of a patch. */
export function* changesOf(
  patch: Patch,
  state: State,
  carriers: Carriers,
  places: Places,
): Generator<Change> {
  let othersCarried = false;
  for (const [path, value] of leavesOf(patch, [])) {
    const numbers = treeNumbers(path);
    if (numbers === undefined) continue;
    const inTree = places.pathOf("Tree", ...numbers);
    yield* Array.isArray(value)
      ? [change(inTree, "list", path), ...itemsOf(value, path, inTree)]
      : [change(inTree, "value", path)];
    for (const other of devicePaths(path, state, carriers, places)) {
      yield change(other, "value", path);
    }
    const channel = describedChannel(path, carriers);
    if (channel !== undefined) yield nodeChange(channel, places);
    const target = routedTarget(path);
    if (target !== undefined) {
      const numbers = places.pathOf("Routing/matrix", target);
      yield change(numbers, "connection", path);
    }
    othersCarried ||= path.length === 6 && path[5] === "sourceid";
  }
  if (!othersCarried) return;
  carriers.forget();
  for (const { places: channels } of state.configuration.mixers) {
    for (const channel of channels.keys()) {
      yield nodeChange(channel, places);
      for (const numbers of channelPaths(channel, places)) yield parameterChange(numbers);
    }
  }
}

/** Returns the change of a parameter that is not a leaf of the control tree. */
export function parameterChange(numbers: readonly number[]): Change {
  return change(numbers, "parameter", []);
}

function nodeChange(channel: number, places: Places): Change {
  return change(places.pathOf("Channels", channel), "node", []);
}

function change(numbers: readonly number[], what: Change["what"], path: Path): Change {
  return { key: keyOf(numbers), above: keyOf(numbers.slice(0, -1)), numbers, what, path };
}

function* leavesOf(patch: Patch, above: Path): Generator<readonly [Path, Tree]> {
  for (const member of Object.keys(patch)) {
    const value = patch[member]!;
    const path = [...above, member];
    if (isBranch(value)) yield* leavesOf(value as Patch, path);
    else yield [path, value as Tree];
  }
}

/** Yields the changes of the values in a list that was set as a whole. */
function* itemsOf(
  list: readonly unknown[],
  path: Path,
  numbers: readonly number[],
): Generator<Change> {
  for (const [index, item] of list.entries()) {
    const at = [...numbers, index + 1];
    if (!isBranch(item)) yield change(at, "value", [...path, String(index)]);
    else {
      for (const member of Object.keys(item)) {
        const below = treeNumbers([member]);
        if (below === undefined) continue;
        yield change([...at, ...below], "value", [...path, String(index), member]);
      }
    }
  }
}

/** Returns the number of items of a list of the control tree. */
export function itemCount(state: State, path: Path): number {
  const list = find(state.tree, path);
  return Array.isArray(list) ? list.length : 0;
}
