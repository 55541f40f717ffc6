/**
 * A loudness meter of a sum.
 *
 * @module
 */
import { createLoudness, type LoudnessMembers } from "../meters/loudness.ts";
import { modeOf } from "../meters/modes.ts";
import { createStereoMeter } from "./stereo.ts";
import type { Sum } from "./sum.ts";

/** A loudness meter, with the true peak meters that belong to it. */
export interface LoudnessOfSum {
  /** Advances the meter by a block of `seconds`, and returns the values for the tree. */
  step(sum: Sum, seconds: number): LoudnessMembers;
}

/** Makes a loudness meter, silent at first. */
export function createLoudnessOfSum(): LoudnessOfSum {
  const loudness = createLoudness();
  const peaks = createStereoMeter(modeOf("TruePeak"));
  return {
    step({ peak, mean: [left, right] }, seconds) {
      // Half the squared amplitude of a sine is its power.
      const power = (left * left + right * right) / 2;
      loudness.step(power, seconds, Math.max(...peaks.step(peak, seconds)));
      return loudness.values();
    },
  };
}
