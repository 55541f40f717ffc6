/**
 * A loudness meter with all that the control tree has of one but `_levelo` and `_levelu`, which no
 * standard defines.
 *
 * @module
 */
import { METER_SILENCE_DB } from "../../core/limits.ts";
import { createLoudness } from "./loudness.ts";
import { rounded } from "./rounded.ts";

/** Members of `audio/loudness/{id}`: in LUFS, and the peaks in dBTP. */
export type LoudnessMembers = Readonly<
  Record<"_levelm" | "_levels" | "_leveli" | "_maxm" | "_maxs" | "_peak" | "_maxpeak", number>
>;

/** A loudness meter, with that of the true peaks beside it. */
export interface LoudnessMeter {
  /**
   * Moves it on by a block, and answers what it shows, as the tree has it.
   *
   * @param power the K-weighted mean squares of all channels, added up
   * @param seconds how long the block is, 0 or more
   * @param peak what the higher of the true peak meters of all channels shows after it, in dBTP
   */
  step(power: number, seconds: number, peak: number): LoudnessMembers;
}

/** Makes a loudness meter, silent at first. */
export function createLoudnessMeter(): LoudnessMeter {
  const loudness = createLoudness();
  let highest: number = METER_SILENCE_DB;
  return {
    step(power, seconds, peak) {
      loudness.step(power, seconds);
      highest = Math.max(highest, peak);
      const values = loudness.values();
      return {
        _levelm: rounded(values.momentary),
        _levels: rounded(values.shortTerm),
        _leveli: rounded(values.integrated),
        _maxm: rounded(values.maxMomentary),
        _maxs: rounded(values.maxShortTerm),
        _peak: rounded(peak),
        _maxpeak: rounded(highest),
      };
    },
  };
}
