/**
 * Writing the control tree: the method `set` (control-tree.md, "Messages").
 *
 * @module
 */
import type { Command } from "../console.ts";
import { isRefusal, type Refusal } from "../errors.ts";
import { withFadersAdrift } from "../fades/adrift.ts";
import { channelRefusal, labelledFaders } from "../labels/channels.ts";
import { listsRefusal } from "../lists/branch.ts";
import type { State } from "../state.ts";
import { durableChange, type TreeChanged } from "./change.ts";
import { isBranch, type Leaf, merge, type Patch, type Tree } from "./patch.ts";
import { find, nest, parsePath, type Path } from "./path.ts";
import { write } from "./write.ts";

/**
 * Sets one value, or many below a path by a nested object. The result is what is in force then, in
 * the shape of what was written. Refused as a whole: an unknown path (6), a read-only member (7), a
 * wrong type, a `sourceid` that the mixer does not have (3), external lists without the license (9).
 * Numbers out of range go to the nearest bound; setting what is set already happens without an event.
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
  return (state) => {
    const written = writeChange(state, parsePath(path), value);
    return isRefusal(written) ? written : { events: written.events, result: written.inForce };
  };
}

/** What a write comes to. */
export interface WriteChange {
  readonly events: readonly TreeChanged[];
  /** In the shape of what was written, with the values in force then. */
  readonly inForce: Leaf | Patch;
}

/** The change that a write at a path makes. Refuses what `set` refuses. */
export function writeChange(state: State, path: Path, value: unknown): WriteChange | Refusal {
  const written = write(state.tree, state.ranges, path, value);
  if (isRefusal(written)) {
    return listsRefusal(state.configuration, nest(path, value as Leaf)) ?? written;
  }
  const { inForce } = written;
  const named = nest(path, inForce) as Patch;
  const patch = withFadersAdrift(state, named, written.patch);
  const labelled = patch !== undefined && !labelledFaders(patch).next().done;
  const refused = labelled ? channelRefusal(state, patch, named) : undefined;
  if (refused !== undefined) return refused;
  const events = durableChange(state, patch, named);
  if (!labelled) return { events, inForce };
  const after = events.reduce((tree, { patch }) => merge(tree, patch), state.tree);
  return { events, inForce: valuesIn(inForce, find(after, path)!) };
}

/** The values of a tree in the shape of what was written. */
function valuesIn(written: Leaf | Patch, tree: Tree): Leaf | Patch {
  if (!isBranch(written) || !isBranch(tree)) return tree as Leaf;
  const values = Object.entries(written as Patch)
    .map(([member, value]) => [member, valuesIn(value, tree[member]!)] as const);
  return Object.fromEntries(values);
}
