/**
 * A loudness meter of a sum.
 *
 * @module
 */
import { createLoudnessMeter, type LoudnessMembers } from "../meters/loudness-meter.ts";
import { modeOf } from "../meters/modes.ts";
import { createStereoMeter } from "./stereo.ts";
import type { Sum } from "./sum.ts";

/** A loudness meter, with that of the true peaks beside it. */
export interface LoudnessOfSum {
  /** Moves it on by a block of so many seconds, and answers what it shows, as the tree has it. */
  step(sum: Sum, seconds: number): LoudnessMembers;
}

/** Makes a loudness meter, silent at first. */
export function createLoudnessOfSum(): LoudnessOfSum {
  const loudness = createLoudnessMeter();
  const peaks = createStereoMeter(modeOf("TruePeak"));
  return {
    step({ peak, mean: [left, right] }, seconds) {
      // Half a squared amplitude is the power of a sine.
      const power = (left * left + right * right) / 2;
      return loudness.step(power, seconds, Math.max(...peaks.step(peak, seconds)));
    },
  };
}
