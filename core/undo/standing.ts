/**
 * The standing of a value in force: how it compares with the values before and after a step.
 *
 * @module
 */
import { isSameLeaf, type Leaf, type Tree } from "../tree/tree.ts";

/** A value is as it was before a step, as the step put it, or something else changed it since. */
export type Standing = "was" | "put" | "changed";

/**
 * Compares a value in force with those before and after a step. `goal` is the level in dB to which
 * a fade of that step still moves the fader: a fader on its way to that level counts as being
 * there, even while it is where it began.
 */
export function standingOf(now: Tree, was: Leaf, put: Leaf, goal: Leaf | undefined): Standing {
  if (goal !== undefined && goal === put) return "put";
  if (isSameLeaf(now, was)) return "was";
  return isSameLeaf(now, put) ? "put" : "changed";
}
