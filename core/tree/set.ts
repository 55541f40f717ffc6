/**
 * Writing the control tree: the method `set` (control-tree.md, "Messages").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { withUnsyncedFaders } from "../fades/unsynced.ts";
import { channelRefusal, labelledFaders } from "../labels/channels.ts";
import { listsRefusal } from "../lists/branch.ts";
import { shown } from "../shown.ts";
import type { State } from "../state.ts";
import { acceptValue, bounded, isLeafDefinition, type NumberLeaf, type Ranges } from "./leaf.ts";
import { settingRefusal } from "./operated.ts";
import { noSuchPath } from "./resources.ts";
import {
  type Branch,
  find,
  formatPath,
  isBranch,
  type Leaf,
  merge,
  nest,
  parsePath,
  type Patch,
  type Path,
  type Tree,
  unlessEmpty,
} from "./tree.ts";
import { durableChange, type TreeChanged } from "./treechanged.ts";

/**
 * Sets one value, or many below a path by a nested object. The result is what is in force then, in
 * the shape of what was written. Refused as a whole: an unknown path (6), a read-only member (7), a
 * wrong type, a `sourceid` that the mixer does not have (3), external lists without the license
 * (9), a leaf that the user may not set (5, `operated.ts`). Numbers out of range go to the nearest
 * bound; setting what is set already happens without an event.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createConsole, DEVICE, initialState, readConfiguration } from "faderd";
 *
 * const read = readConfiguration({ mixers: [{ faders: 8 }] });
 * if ("faults" in read) throw new Error("the configuration has faults");
 * const desk = createConsole({
 *   state: initialState(read.configuration),
 *   store: { append: () => Promise.resolve() },
 *   clock: { now: Date.now, monotonic: () => performance.now() },
 *   random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
 * });
 * const outcome = await desk.dispatch(
 *   set("/audio/mixers/0/faders/0", { on: true, fader: 99 }),
 *   DEVICE,
 * );
 * assertEquals(outcome, { result: { on: true, fader: 10 } });
 * ```
 */
export function set(path: string, value: unknown): Command<Leaf | Patch> {
  return (state, actor) => {
    const members = parsePath(path);
    const written = writeChange(state, members, value);
    if (isRefusal(written)) return written;
    const { events, inForce } = written;
    return settingRefusal(state, actor, members, inForce) ?? { events, result: inForce };
  };
}

/** This is what a write comes to: what happens, and what the client is told. */
export interface WriteChange {
  readonly events: readonly TreeChanged[];
  /** The values that are in force then, in the shape of what was written. */
  readonly inForce: Leaf | Patch;
}

/** Works out the change that a write at a path makes. It refuses what `set` refuses. */
export function writeChange(state: State, path: Path, value: unknown): WriteChange | Refusal {
  const { tree, ranges, unsynced } = state;
  const node = find(tree, path);
  // A leaf is written as a member of the branch that it is in.
  const at = node === undefined || isBranch(node) ? path : path.slice(0, -1);
  const members = at === path ? value : { [path.at(-1)!]: value };
  const rangesBelow = (find(ranges as Branch, at) ?? {}) as Ranges;
  const written = node === undefined
    ? noSuchPath(path)
    : writeBranch(find(tree, at) as Branch, rangesBelow, at, members);
  if (isRefusal(written)) {
    return listsRefusal(state.configuration, nest(path, value as Leaf)) ?? written;
  }
  const { changed, inForce } = written;
  const named = nest(at, inForce) as Patch;
  const differing = changed && nest(at, changed) as Patch;
  const patch = unsynced.size === 0 ? differing : withUnsyncedFaders(unsynced, named, differing);
  const labelled = labelledFaders(patch ?? {});
  const refused = labelled.size === 0 ? undefined : channelRefusal(state, labelled, named);
  if (refused !== undefined) return refused;
  const events = durableChange(state, patch, named, labelled);
  const shown = find(named as Branch, path) as Leaf | Patch;
  if (labelled.size === 0) return { events, inForce: shown };
  // Labels follow their channels, so other values may be in force than were written.
  const [event] = events;
  const after = event === undefined ? tree : merge(tree, event.patch);
  return { events, inForce: valuesIn(shown, find(after, path)!) };
}

/** Answers the values of a tree in the shape of what was written. */
function valuesIn(written: Leaf | Patch, tree: Tree): Leaf | Patch {
  if (!isBranch(written) || !isBranch(tree)) return tree as Leaf;
  const values = Object.entries(written as Patch)
    .map(([member, value]) => [member, valuesIn(value, tree[member]!)] as const);
  return Object.fromEntries(values);
}

interface BranchWrite {
  readonly changed: Patch | undefined;
  readonly inForce: Patch;
}

function writeBranch(
  node: Branch,
  ranges: Ranges,
  path: Path,
  written: unknown,
): BranchWrite | Refusal {
  if (!isBranch(written)) {
    const expected = `expected an object, got ${shown(written)}`;
    return refuse("invalidParameter", `${formatPath(path)}: ${expected}`);
  }
  const changed: Record<string, Patch[string]> = {};
  // What was written mostly is what is in force then, so it is copied only where it is not.
  let inForce = written as Patch;
  const putInForce = (member: string, value: Patch[string]) => {
    if (value === inForce[member]) return;
    if (inForce === written) inForce = { ...written } as Patch;
    (inForce as Record<string, Patch[string]>)[member] = value;
  };
  let increments: [string, NumberLeaf, number][] | undefined;
  for (const member of Object.keys(written)) {
    const value = written[member];
    if (!Object.hasOwn(node, member)) return noSuchPath([...path, member]);
    if (!Object.hasOwn(ranges, member)) {
      return refuse("readOnly", `read-only: ${formatPath([...path, member])}`);
    }
    const definition = ranges[member]!;
    if (!isLeafDefinition(definition)) {
      const inner = writeBranch(node[member] as Branch, definition, [...path, member], value);
      if (isRefusal(inner)) return inner;
      if (inner.changed !== undefined) changed[member] = inner.changed;
      putInForce(member, inner.inForce);
      continue;
    }
    // What is in force was accepted before, so it need not be checked again.
    if (value === node[member]) continue;
    const accepted = acceptValue(definition, value, () => formatPath([...path, member]));
    if (typeof accepted === "object") return accepted;
    putInForce(member, accepted);
    if (definition.type === "number" && definition.adds !== undefined) {
      (increments ??= []).push([member, definition, accepted as number]);
    } else if (accepted !== node[member]) {
      changed[member] = accepted;
    }
  }
  for (const [member, { adds }, increment] of increments ?? []) {
    const sum = ((changed[adds!] ?? node[adds!]) as number) + increment;
    const value = bounded(ranges[adds!] as NumberLeaf, sum);
    putInForce(member, node[member] as number);
    if (Object.hasOwn(written, adds!)) putInForce(adds!, value);
    if (value !== node[adds!]) changed[adds!] = value;
    else delete changed[adds!];
  }
  return { changed: unlessEmpty(changed), inForce };
}
