/**
 * The blocks that attenuate quiet signals: `gate` and `expander`. The level of the signal is
 * converted to a gain.
 *
 * ```
 * input ─┬───────────────────── × ── output
 *        └ detector ─ curve ────┘
 * ```
 *
 * @module
 */
import { fromDecibels } from "../../meters/decibels.ts";
import { BLOCK } from "../signal.ts";
import { type Block, type BlockKind, type BlockValues, follow } from "./block.ts";
import { createDetector, SPAN_DB } from "./detector.ts";

/** The ratio of the gate, which closes within 2 dB below its threshold. */
const GATE_RATIO = 40;

/** The lowest level that is distinguished from silence, as an amplitude. */
const FLOOR = fromDecibels(-SPAN_DB);

interface Curve {
  /** The threshold in dB. */
  readonly threshold: number;
  readonly ratio: number;
  /** The attack time and the release time in ms. */
  readonly attack: number;
  readonly release: number;
  /** Maximum attenuation in dB. */
  readonly most: number;
  /** Make-up gain in dB. */
  readonly gain: number;
}

/** Gains of the block that is processed. */
const gains = new Float32Array(BLOCK);

function downward(
  sampleRate: number,
  values: BlockValues,
  curveOf: (values: BlockValues) => Curve,
  held?: readonly number[],
): Block {
  const detector = createDetector(sampleRate, values, curveOf, held);
  const { ramps, update } = follow(sampleRate, values, {
    threshold: (values) => curveOf(values).threshold,
    ratio: (values) => curveOf(values).ratio,
    least: (values) => leastGain(curveOf(values)),
    makeup: (values) => fromDecibels(curveOf(values).gain),
  });
  let gain = 1;
  return {
    process(signal, frame) {
      const levels = detector.levels(signal, frame);
      const threshold = fromDecibels(ramps.threshold.valueAt(frame));
      const exponent = ramps.ratio.valueAt(frame) - 1;
      const least = ramps.least.valueAt(frame);
      for (let at = 0; at < BLOCK; at++) {
        const level = levels[at]!;
        // For each dB below the threshold, the gain falls by `exponent` dB.
        const below = level >= threshold ? 1 : (Math.max(FLOOR, level) / threshold) ** exponent;
        gains[at] = gain = least + (1 - least) * below;
      }
      for (const channel of signal) {
        for (let at = 0; at < BLOCK; at++) channel[at]! *= gains[at]!;
      }
      ramps.makeup.multiply(frame, signal);
    },
    update(values, when) {
      detector.update(values, when);
      update(values, when);
    },
    reduction: () => -20 * Math.log10(Math.max(1e-6, gain)),
    held: detector.held,
  };
}

const leastGain = ({ most }: Curve) => most >= SPAN_DB ? 0 : fromDecibels(-most);

/** `gate`: attenuates signals below its threshold by `attenuation`. */
export const gate: BlockKind = {
  make: (sampleRate, values, held) =>
    downward(sampleRate, values, (values) => ({
      threshold: values.threshold as number,
      ratio: GATE_RATIO,
      attack: values.attack as number,
      release: values.release as number,
      most: values.attenuation as number,
      gain: 0,
    }), held),
  settles: (values) => 4 * (values.attack as number) / 1000,
};

/** `expander`: each dB below its threshold becomes `ratio` dB below it. */
export const expander: BlockKind = {
  make: (sampleRate, values, held) =>
    downward(sampleRate, values, (values) => ({
      threshold: values.threshold as number,
      ratio: values.ratio as number,
      attack: values.attack as number,
      release: values.release as number,
      most: SPAN_DB,
      gain: values.gain as number,
    }), held),
  settles: (values) => 4 * (values.attack as number) / 1000,
};
