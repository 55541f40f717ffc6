/**
 * The values that the undo of a step would change now.
 *
 * @module
 */
import type { RpcResult } from "../../client/client.ts";
import type { LeafDefinition, Ranges } from "../../core/tree/leaf.ts";
import { type Branch, find, type Leaf, parsePath } from "../../core/tree/tree.ts";
import { standingOf } from "../../core/undo/standing.ts";
import { type Difference, isTold } from "../parts/difference.ts";

/** A step as the console lists it. */
export type Step = RpcResult<"getundolist">[number];

/** A value of a step, and the right that is needed to put it back. */
export interface StepDifference extends Difference {
  readonly needs: NonNullable<Step["preview"]>[number]["needs"];
}

/** The values of a step that now differ from their values before the step. */
export interface Standing {
  /** The values that are still as the step set them. */
  readonly back: readonly StepDifference[];
  /** The values that another change has changed since. */
  readonly changed: readonly StepDifference[];
}

/**
 * Compares the values of a step with the values in force in its branch, whose ranges are `ranges`.
 */
export function standing(
  { path: branch = "", what, preview = [] }: Step,
  node: Branch,
  ranges: Ranges,
): Standing {
  const above = parsePath(branch);
  const back: StepDifference[] = [];
  const changed: StepDifference[] = [];
  const goal = what === "fadetovalue" ? goalOf(node) : undefined;
  for (const { path, was, put, needs } of preview) {
    const whole = parsePath(path);
    const inBranch = whole.slice(above.length);
    const now = find(node, inBranch) as Leaf;
    const standing = standingOf(now, was, put, goal);
    if (standing === "was" || !isTold(whole.at(-1)!)) continue;
    const leaf = find(ranges as unknown as Branch, inBranch) as unknown as LeafDefinition;
    const difference = { path: ownPath(whole), from: now, to: was, leaf, needs };
    (standing === "put" ? back : changed).push(difference);
  }
  return { back, changed };
}

/** Returns the level in dB to which a fader fades; the time of a fade that has ended is 0. */
function goalOf({ fade }: Branch): Leaf | undefined {
  const { _to, _time } = (fade ?? {}) as Branch;
  return _time === 0 ? undefined : _to as Leaf | undefined;
}

/** Returns a path below its mixer or processing, in the form of differences. */
function ownPath(path: readonly string[]): readonly string[] {
  const isOwned = path[0] === "audio" && (path[1] === "mixers" || path[1] === "flexprocessings");
  return isOwned ? path.slice(3) : path;
}
