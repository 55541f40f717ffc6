/**
 * The blocks that attenuate loud signals: `compressor` and `limiter`. The gain follows the louder
 * side by a peak detector in dB with an attack and a release time. The signal is delayed by some
 * ms, so that an attack does not come too late.
 *
 * ```
 * input ─┬ delay ────────────────────────────────── × ── output
 *        └ peak - dB - over threshold - detector ───┘
 * ```
 *
 * @module
 */
import { fromDecibels } from "../../meters/decibels.ts";
import { BLOCK, type Stereo } from "../signal.ts";
import { type Block, type BlockKind, type BlockValues, follow } from "./block.ts";

/** Maximum values of the curve, which are those of Web Audio. */
const MAX = { thresholdDB: 0, ratio: 20, seconds: 1 } as const;
const MIN_THRESHOLD_DB = -100;

/** Look-ahead in s, which is also the delay of the signal. */
export const LOOK_AHEAD = 0.006;

/** The factor from the natural logarithm of an amplitude to dB. */
const DB = 20 / Math.LN10;

/** A gain reduction in dB that counts as none. */
const NOTHING_DB = 1e-5;

interface Curve {
  /** The threshold in dB. */
  readonly threshold: number;
  readonly ratio: number;
  /** The attack time and the release time in s. */
  readonly attack: number;
  readonly release: number;
  /** The make-up gain in dB. */
  readonly gain: number;
}

/**
 * Number of samples in which the gain moves linearly: an exponential for each sample would cost the
 * most.
 */
const STEP = 4;

/** Gains of the block that is processed. */
const gains = new Float32Array(BLOCK);

function compressing(
  sampleRate: number,
  values: BlockValues,
  curveOf: (values: BlockValues) => Curve,
  [held = 0]: readonly number[] = [],
): Block {
  const { ramps, update } = follow(sampleRate, values, {
    threshold: (values) => curveOf(values).threshold,
    ratio: (values) => curveOf(values).ratio,
    attack: (values) => curveOf(values).attack,
    release: (values) => curveOf(values).release,
    gain: (values) => fromDecibels(curveOf(values).gain),
  });
  const length = Math.round(LOOK_AHEAD * sampleRate);
  /** The last samples of each side, and after them the present block. */
  const lines = [new Float32Array(length + BLOCK), new Float32Array(length + BLOCK)] as const;
  /** The present gain reduction in dB, 0 or more. */
  let reduction = held;
  let gain = gainOf(reduction);

  /** Computes the gains of a block from its samples. */
  function detect([left, right]: Stereo, frame: number): void {
    const thresholdDB = ramps.threshold.valueAt(frame);
    const threshold = fromDecibels(thresholdDB);
    const slope = 1 - 1 / ramps.ratio.valueAt(frame);
    const rising = keeping(ramps.attack.valueAt(frame), sampleRate);
    const falling = keeping(ramps.release.valueAt(frame), sampleRate);
    for (let from = 0; from < BLOCK; from += STEP) {
      for (let at = from; at < from + STEP; at++) {
        const peak = Math.max(Math.abs(left[at]!), Math.abs(right[at]!));
        const wanted = peak > threshold ? slope * (DB * Math.log(peak) - thresholdDB) : 0;
        reduction = wanted + (wanted > reduction ? rising : falling) * (reduction - wanted);
      }
      if (reduction < NOTHING_DB) reduction = 0;
      const next = gainOf(reduction);
      const moved = (next - gain) / STEP;
      for (let at = 0; at < STEP; at++) gains[from + at] = gain + moved * (at + 1);
      gain = next;
    }
  }

  return {
    process(signal, frame) {
      detect(signal, frame);
      for (const [side, line] of lines.entries()) {
        const samples = signal[side as 0 | 1];
        line.copyWithin(0, BLOCK);
        line.set(samples, length);
        for (let at = 0; at < BLOCK; at++) samples[at] = line[at]! * gains[at]!;
      }
      ramps.gain.multiply(frame, signal);
    },
    update,
    reduction: () => reduction,
    held: () => [reduction],
  };
}

/** Returns the gain, as a factor, of a reduction in dB. */
const gainOf = (reduction: number) => reduction === 0 ? 1 : Math.exp(-reduction / DB);

/** Returns the part of a reduction that is left after one sample, by a time constant in s. */
const keeping = (seconds: number, sampleRate: number) => Math.exp(-1 / (seconds * sampleRate));

const threshold = (dB: number) => Math.min(MAX.thresholdDB, Math.max(MIN_THRESHOLD_DB, dB));
const seconds = (ms: number) => Math.min(MAX.seconds, ms / 1000);

function compressorCurve(values: BlockValues): Curve {
  return {
    threshold: threshold(values.threshold as number),
    ratio: Math.min(MAX.ratio, values.ratio as number),
    attack: seconds(values.attack as number),
    release: seconds(values.release as number),
    gain: values.gain as number,
  };
}

function limiterCurve(values: BlockValues): Curve {
  return {
    threshold: threshold(values.threshold as number),
    ratio: MAX.ratio,
    attack: 0,
    release: seconds(values.release as number),
    gain: 0,
  };
}

/** `compressor`: each dB above its threshold becomes 1 / `ratio` dB above it. */
export const compressor: BlockKind = {
  make: (sampleRate, values, held) => compressing(sampleRate, values, compressorCurve, held),
  // Without an earlier block it begins without a reduction. After six attack times, less than 0.5 dB of 36 dB is missing.
  settles: (values) => LOOK_AHEAD + 6 * seconds(values.attack as number),
};

/** `limiter`: a compressor with the steepest ratio, and without an attack time. */
export const limiter: BlockKind = {
  make: (sampleRate, values, held) => compressing(sampleRate, values, limiterCurve, held),
  settles: () => 2 * LOOK_AHEAD,
};
