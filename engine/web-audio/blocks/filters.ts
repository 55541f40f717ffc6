/// <reference lib="dom" />
/**
 * The blocks that are filters of the standard: `subsonic`, `eq1` to `eq4`, `varfilter1` and
 * `varfilter2`.
 *
 * @module
 */
import { type Block, type BlockKind, type BlockValues, follow, type ParamOf } from "./block.ts";
import { toDecibels } from "../../meters/decibels.ts";
import type { Stage } from "../stage.ts";

/** The `type` of an equalizer is an index here. */
const EQ_TYPES: readonly BiquadFilterType[] = [
  "peaking",
  "lowshelf",
  "highshelf",
  "lowpass",
  "highpass",
  "bandpass",
  "notch",
  "allpass",
];

/** In the standard, Q of a lowpass and of a highpass is in dB. */
const BUTTERWORTH = toDecibels(Math.SQRT1_2);

function filter(
  stage: Stage,
  values: BlockValues,
  type: BiquadFilterType,
  others: (node: BiquadFilterNode) => readonly ParamOf[],
): Block {
  const node = stage.context.createBiquadFilter();
  node.type = type;
  // Half the sample rate is as far as a filter goes.
  const highest = stage.context.sampleRate / 2;
  const frequency: ParamOf = [
    node.frequency,
    (values) => Math.min(highest, values.frequency as number),
  ];
  return { input: node, output: node, update: follow(values, [frequency, ...others(node)]) };
}

/** `subsonic`: a highpass of 12 dB an octave, 3 dB down at its frequency. */
export const subsonic: BlockKind = {
  make: (stage, values) =>
    filter(stage, values, "highpass", (node) => [[node.Q, () => BUTTERWORTH]]),
};

/** `eq1` to `eq4`. */
export const equalizer: BlockKind = {
  fixed: ({ type }) => [type!],
  make(stage, values) {
    const type = EQ_TYPES[values.type as number] ?? "peaking";
    const cut = type === "lowpass" || type === "highpass";
    return filter(stage, values, type, (node) => [
      [node.gain, ({ gain }) => gain as number],
      [node.Q, ({ q }) => cut ? toDecibels(q as number) : q as number],
    ]);
  },
};

/**
 * `varfilter1` and `varfilter2`: a highpass or a lowpass of 6 dB an octave for each order, 3 dB down
 * at its frequency (Butterworth). Of an odd order one part is of the first order, whose frequency
 * the standard cannot move: such a filter is followed by another.
 */
export const variable: BlockKind = {
  fixed: ({ hipass, order, frequency }) =>
    isOdd(order as number) ? [hipass!, order!, frequency!] : [hipass!, order!],
  make(stage, values) {
    const order = values.order as number;
    const type = values.hipass === true ? "highpass" : "lowpass";
    const parts = Array.from({ length: Math.floor(order / 2) }, (_, pair) => {
      const q = 1 / (2 * Math.sin((2 * pair + 1) * Math.PI / (2 * order)));
      return filter(stage, values, type, (node) => [[node.Q, () => toDecibels(q)]]);
    });
    const first = isOdd(order) ? [ofFirstOrder(stage, values)] : [];
    const nodes = [...first, ...parts.map(({ input }) => input)];
    nodes.reduce((before, node) => before.connect(node));
    return {
      input: nodes[0]!,
      output: nodes.at(-1)!,
      update(values, when) {
        for (const part of parts) part.update(values, when);
      },
    };
  },
};

const isOdd = (order: number) => order % 2 === 1;

/** By the bilinear transform, as the other filters of the standard. */
function ofFirstOrder({ context }: Stage, values: BlockValues): AudioNode {
  const highest = 0.49 * context.sampleRate;
  const frequency = Math.min(highest, values.frequency as number);
  const k = Math.tan(Math.PI * frequency / context.sampleRate);
  const forward = values.hipass === true ? [1, -1] : [k, k];
  return context.createIIRFilter(forward.map((one) => one / (1 + k)), [1, (k - 1) / (k + 1)]);
}
