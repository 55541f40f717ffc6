/**
 * `deesser2`: the part of the signal above its frequency becomes quieter while it is above its
 * threshold. The level of that part drives the gain of a high shelf.
 *
 * ```
 * input ─┬────────────────────────────────────── high shelf ── output
 *        └ highpass ─ detector ─ above threshold ────┘
 * ```
 *
 * The signal is not split, so it is not delayed, and the part below the frequency stays as it is.
 *
 * @module
 */
import { fromDecibels } from "../../meters/decibels.ts";
import { BLOCK, copy, createStereo } from "../signal.ts";
import { createBiquad } from "./biquad.ts";
import { type BlockKind, follow } from "./block.ts";
import { createDetector } from "./detector.ts";

/** The ratio, which is not in the tree: 4 dB above the threshold become 1 dB. */
const RATIO = 4;

/** The times of the detector in ms: an s is short. */
const TIMES = { attack: 1, release: 60 } as const;

/** Number of samples for which the shelf keeps its gain. */
const KEPT_SAMPLES = 8;

/** `deesser2`. */
export const deesser: BlockKind = {
  make(sampleRate, values, held) {
    const { ramps, update } = follow(sampleRate, values, {
      frequency: ({ frequency }) => frequency as number,
      threshold: ({ threshold }) => threshold as number,
    });
    const detector = createDetector(sampleRate, values, () => TIMES, held);
    const highpass = createBiquad(sampleRate);
    const shelf = createBiquad(sampleRate);
    const side = createStereo();
    let reduction = 0;
    return {
      process(signal, frame) {
        const frequency = ramps.frequency.valueAt(frame);
        const thresholdDB = ramps.threshold.valueAt(frame);
        const threshold = fromDecibels(thresholdDB);
        copy(signal, side);
        highpass.set("highpass", frequency, Math.SQRT1_2, 0);
        highpass.process(side);
        const levels = detector.levels(side, frame);
        for (let at = 0; at < BLOCK; at += KEPT_SAMPLES) {
          const level = levels[at]!;
          reduction = level > threshold
            ? (20 * Math.log10(level) - thresholdDB) * (1 - 1 / RATIO)
            : 0;
          shelf.set("highshelf", frequency, 1, -reduction);
          shelf.process(signal, at, at + KEPT_SAMPLES);
        }
      },
      update(values, when) {
        detector.update(values, when);
        update(values, when);
      },
      reduction: () => reduction,
      held: detector.held,
    };
  },
  settles: () => 4 * TIMES.attack / 1000,
};
