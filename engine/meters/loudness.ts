/**
 * Loudness per EBU R 128 (ITU-R BS.1770-4): momentary over 400 ms, short-term over 3 s, integrated
 * over the whole signal except the gated parts. It is computed from the power of all channels, each
 * filtered with K-weighting (`k-weighting.ts`), added up.
 *
 * @module
 */
import { METER_SILENCE_DB } from "../../core/limits.ts";
import { rounded } from "./rounded.ts";

/**
 * The length of a bin of power in s, and the interval of the windows, which consist of bins: so
 * short that a window begins at most 10 ms after any sound does.
 */
const BIN_SECONDS = 0.01;
const MOMENTARY_BINS = 40;
const SHORT_TERM_BINS = 300;

/** The interval of the windows that count for the integrated loudness: 0.1 s. */
const GATING_BINS = 10;

/** Windows below this loudness, in LUFS, do not count. */
const ABSOLUTE_GATE = -70;

/**
 * Windows whose power is less than this part (-10 LU) of the mean of all windows above the absolute
 * gate do not count, either.
 */
const RELATIVE_GATE = 0.1;

/**
 * The integrated loudness may cover hours, so windows are counted by their loudness, in steps of
 * 0.1 LU from the absolute gate up. Only the relative gate has this resolution.
 */
const STEPS_PER_LU = 10;
const STEPS = 100 * STEPS_PER_LU;

/** Tolerance for lengths of time, in s. */
const NO_TIME = 1e-9;

/** The values of a loudness meter in LUFS, and the peaks in dBTP; each -125 or more. */
export type LoudnessMembers = Readonly<
  Record<"_levelm" | "_levels" | "_leveli" | "_maxm" | "_maxs" | "_peak" | "_maxpeak", number>
>;

/** A loudness meter, with all members of the control tree that are defined by a standard. */
export interface Loudness {
  /**
   * Advances the meter by a block.
   *
   * @param power the K-weighted mean squares of all channels, added up. For a signal around 1 kHz
   *   they need no weighting: a sine of amplitude 1 on one channel has 0.5
   * @param seconds the duration of the block, 0 or more
   * @param peak the highest reading of the true peak meters of all channels after the block, in
   *   dBTP
   */
  step(power: number, seconds: number, peak?: number): void;
  /** Returns the present readings, for the signal up to the last full hundredth of a second. */
  values(): LoudnessMembers;
}

/** Makes a loudness meter, silent at first. */
export function createLoudness(): Loudness {
  /** The power of the last bins; the bin `count` stands at `count % SHORT_TERM_BINS`. */
  const bins = new Float64Array(SHORT_TERM_BINS);
  let count = 0;
  let energy = 0;
  let seconds = 0;
  let maxMomentary = 0;
  let maxShortTerm = 0;
  let peak: number = METER_SILENCE_DB;
  let maxPeak: number = METER_SILENCE_DB;
  const counts = new Float64Array(STEPS);
  const powers = new Float64Array(STEPS);

  /** The mean power of the last `length` bins. */
  function mean(length: number): number {
    let sum = 0;
    for (let back = 1; back <= Math.min(length, count); back++) {
      sum += bins[(count - back) % SHORT_TERM_BINS]!;
    }
    return sum / length;
  }

  function endBin(): void {
    bins[count % SHORT_TERM_BINS] = energy / BIN_SECONDS;
    count++;
    [energy, seconds] = [0, 0];
    const momentary = mean(MOMENTARY_BINS);
    maxMomentary = Math.max(maxMomentary, momentary);
    maxShortTerm = Math.max(maxShortTerm, mean(SHORT_TERM_BINS));
    if (count < MOMENTARY_BINS || count % GATING_BINS !== 0) return;
    const loudness = loudnessOf(momentary);
    if (loudness <= ABSOLUTE_GATE) return;
    const step = Math.min(STEPS - 1, stepOf(loudness));
    counts[step]! += 1;
    powers[step]! += momentary;
  }

  /** The mean power of the windows that were counted at the step `from` or at a higher step. */
  function gatedMean(from: number): number {
    let sum = 0;
    let of = 0;
    for (let step = from; step < STEPS; step++) {
      sum += powers[step]!;
      of += counts[step]!;
    }
    return of === 0 ? 0 : sum / of;
  }

  function integrated(): number {
    const gate = loudnessOf(gatedMean(0) * RELATIVE_GATE);
    return gatedMean(Math.max(0, stepOf(gate)));
  }

  return {
    step(power, length, shown = METER_SILENCE_DB) {
      peak = shown;
      maxPeak = Math.max(maxPeak, shown);
      let left = length;
      while (left > NO_TIME) {
        const part = Math.min(left, BIN_SECONDS - seconds);
        energy += power * part;
        seconds += part;
        left -= part;
        if (seconds > BIN_SECONDS - NO_TIME) endBin();
      }
    },
    values: () => ({
      _levelm: rounded(loudnessOf(mean(MOMENTARY_BINS))),
      _levels: rounded(loudnessOf(mean(SHORT_TERM_BINS))),
      _leveli: rounded(loudnessOf(integrated())),
      _maxm: rounded(loudnessOf(maxMomentary)),
      _maxs: rounded(loudnessOf(maxShortTerm)),
      _peak: rounded(peak),
      _maxpeak: rounded(maxPeak),
    }),
  };
}

function stepOf(loudness: number): number {
  return Math.floor((loudness - ABSOLUTE_GATE) * STEPS_PER_LU);
}

function loudnessOf(power: number): number {
  return power > 0 ? Math.max(METER_SILENCE_DB, 10 * Math.log10(power)) : METER_SILENCE_DB;
}
