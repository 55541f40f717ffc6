/**
 * Meters of both sides of a signal, as they stand in the control tree: in steps of 0.01.
 *
 * @module
 */
import type { Mode } from "../meters/modes.ts";
import { rounded } from "../meters/rounded.ts";

/** The left and the right. */
export type Sides = readonly [number, number];

/** A meter for each side. */
export interface StereoMeter {
  /** Moves both on by a block, as a `Meter` does. */
  step(levels: Sides, seconds: number): Sides;
}

/** Makes a meter of a mode for each side, silent at first. */
export function createStereoMeter({ create }: Mode): StereoMeter {
  const [left, right] = [create(), create()];
  return {
    step: (levels, seconds) => [
      rounded(left.step(levels[0], seconds)),
      rounded(right.step(levels[1], seconds)),
    ],
  };
}
