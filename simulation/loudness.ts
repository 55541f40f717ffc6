/**
 * A loudness meter of a sum, with all that the control tree has of one but `_levelo` and `_levelu`,
 * which no standard defines.
 *
 * @module
 */
import type { Patch } from "../core/tree/tree.ts";
import { createLoudness } from "../meters/loudness.ts";
import { createStereoMeter, rounded } from "./stereo.ts";
import type { Sum } from "./sum.ts";

/** A loudness meter, with that of the true peaks beside it. */
export interface LoudnessMeter {
  /** Moves it on by a block of so many seconds, and answers what it shows, as the tree has it. */
  step(sum: Sum, seconds: number): Patch;
}

/** Makes a loudness meter, silent at first. */
export function createLoudnessMeter(): LoudnessMeter {
  const loudness = createLoudness();
  const peaks = createStereoMeter("TruePeak");
  let highest = -Infinity;
  return {
    step({ peak, mean: [left, right] }, seconds) {
      // Half a squared amplitude is the power of a sine.
      loudness.step((left * left + right * right) / 2, seconds);
      const now = Math.max(...peaks.step(peak, seconds));
      highest = Math.max(highest, now);
      const values = loudness.values();
      return {
        _levelm: rounded(values.momentary),
        _levels: rounded(values.shortTerm),
        _leveli: rounded(values.integrated),
        _maxm: rounded(values.maxMomentary),
        _maxs: rounded(values.maxShortTerm),
        _peak: now,
        _maxpeak: highest,
      };
    },
  };
}
