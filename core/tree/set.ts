/**
 * Writing the control tree: the method `set` (control-tree.md, "Messages").
 *
 * @module
 */
import type { Command } from "../console.ts";
import { isRefusal } from "../errors.ts";
import { withFadersAdrift } from "../fades/adrift.ts";
import { treeChanged } from "./change.ts";
import type { Leaf, Patch } from "./patch.ts";
import { nest, parsePath } from "./path.ts";
import { write } from "./write.ts";

/**
 * Sets one value, or many below a path by a nested object. The result is what is in force then, in
 * the shape of what was written. Refused as a whole: an unknown path (6), a read-only member (7), a
 * wrong type (3). Numbers out of range go to the nearest bound; setting what is set already happens
 * without an event.
 *
 * @example
 * ```ts
 * await console.dispatch(set("/audio/mixers/0/faders/0", { on: true, fader: 99 }), actor);
 * // { result: { on: true, fader: 10 } }
 * ```
 */
export function set(path: string, value: unknown): Command<Leaf | Patch> {
  return (state) => {
    const members = parsePath(path);
    const written = write(state.tree, state.ranges, members, value);
    if (isRefusal(written)) return written;
    const { inForce } = written;
    const named = nest(members, inForce) as Patch;
    const patch = withFadersAdrift(state, named, written.patch);
    return {
      events: patch === undefined ? [] : [treeChanged(state, patch)],
      result: inForce,
    };
  };
}
