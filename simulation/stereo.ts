/**
 * Meters of both sides of a signal, as they stand in the control tree: in steps of 0.01.
 *
 * @module
 */
import type { Meter } from "../meters/meter.ts";
import { createPpm } from "../meters/ppm.ts";
import { rounded } from "../meters/rounded.ts";
import { createTruePeak } from "../meters/truepeak.ts";
import { createVu } from "../meters/vu.ts";

/** The left and the right. */
export type Sides = readonly [number, number];

/** A meter for each side. */
export interface StereoMeter {
  /** Moves both on by a block, as {@linkcode Meter} does. */
  step(levels: Sides, seconds: number): Sides;
}

/** By the `_mode` of a level meter, what it is. */
const MODES: Readonly<Record<string, () => Meter>> = {
  PPM: createPpm,
  TruePeak: createTruePeak,
  VU: createVu,
};

/** Makes a meter of a mode ("PPM", "TruePeak" or "VU") for each side, silent at first. */
export function createStereoMeter(mode: string): StereoMeter {
  const create = MODES[mode]!;
  const [left, right] = [create(), create()];
  return {
    step: (levels, seconds) => [
      rounded(left.step(levels[0], seconds)),
      rounded(right.step(levels[1], seconds)),
    ],
  };
}
