/**
 * Meters of both sides of a signal, rounded to 0.01 as in the control tree.
 *
 * @module
 */
import type { Mode } from "../meters/modes.ts";
import { rounded } from "../meters/rounded.ts";

/** The values of the left and the right side. */
export type Sides = readonly [number, number];

/** A meter for each side. */
export interface StereoMeter {
  /** Advances both meters by a block, as a `Meter` does. */
  step(levels: Sides, seconds: number): Sides;
}

/** Makes a meter of a mode for each side, which begins with silence. */
export function createStereoMeter({ create }: Mode): StereoMeter {
  const left = create();
  const right = create();
  return {
    step: (levels, seconds) => [
      rounded(left.step(levels[0], seconds)),
      rounded(right.step(levels[1], seconds)),
    ],
  };
}
