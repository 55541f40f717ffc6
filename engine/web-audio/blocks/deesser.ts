/// <reference lib="dom" />
/**
 * `deesser2`: what lies above its frequency becomes quieter while it is above its threshold. The
 * level of that part of the signal drives the `gain` of a high shelf, which is in dB.
 *
 * ```
 * input ─┬────────────────────────────────────── high shelf ── output
 *        └ highpass ─ detector ─ above threshold ────┘
 * ```
 *
 * The signal is not split, so nothing is late, and what is below the frequency stays as it is.
 *
 * @module
 */
import { type BlockKind, follow, type ParamOf } from "./block.ts";
import { createDetector, createReading, createShaper, SPAN_DB, table } from "./detector.ts";
import { toDecibels } from "../../meters/decibels.ts";

/** The tree does not say these: what is 4 dB above the threshold comes out as 1. */
const RATIO = 4;

/** In ms: an s is short. */
const TIMES = { attack: 1, release: 60 } as const;

const POINTS = 512;

/** From how far a level is above the threshold to what that takes off, both over the span. */
const reductionAbove = table(POINTS, (x) => x <= 0 ? 0 : x * (1 - 1 / RATIO));

/** `deesser2`. */
export const deesser: BlockKind = {
  make(stage, values) {
    const { context } = stage;
    const highest = context.sampleRate / 2;
    const shelf = context.createBiquadFilter();
    shelf.type = "highshelf";
    shelf.gain.value = 0;
    const highpass = context.createBiquadFilter();
    highpass.type = "highpass";
    highpass.Q.value = toDecibels(Math.SQRT1_2);
    const frequencies = [shelf, highpass].map(({ frequency }): ParamOf => [
      frequency,
      (values) => Math.min(highest, values.frequency as number),
    ]);
    const input = stage.gain(1);
    input.connect(shelf);
    const detector = createDetector(stage, input.connect(highpass), () => TIMES);
    const threshold = context.createConstantSource();
    const above = createShaper(stage, reductionAbove);
    detector.output.connect(above);
    threshold.connect(above);
    threshold.start();
    const down = stage.gain(-SPAN_DB);
    above.connect(down).connect(shelf.gain);
    const reduced = createReading(stage, above);
    return {
      input,
      output: shelf,
      update: follow(values, [
        ...frequencies,
        ...detector.params,
        [threshold.offset, (values) => -(values.threshold as number) / SPAN_DB],
      ]),
      reduction: () => Math.max(0, reduced() * SPAN_DB),
      dispose() {
        threshold.stop();
        above.disconnect();
      },
    };
  },
  settles: () => 4 * TIMES.attack / 1000,
};
