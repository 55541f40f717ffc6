/// <reference lib="dom" />
/**
 * The blocks that are one `BiquadFilterNode`: `subsonic`, and `eq1` to `eq4`.
 *
 * @module
 */
import { type Block, type BlockKind, type BlockValues, follow, type ParamOf } from "./block.ts";
import type { Stage } from "../stage.ts";

/** The `type` of an equalizer is an index here. */
export const EQ_TYPES: readonly BiquadFilterType[] = [
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
const inDB = (q: number) => 20 * Math.log10(q);

const BUTTERWORTH = inDB(Math.SQRT1_2);

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
  fixed: ["type"],
  make(stage, values) {
    const type = EQ_TYPES[values.type as number] ?? "peaking";
    const cut = type === "lowpass" || type === "highpass";
    return filter(stage, values, type, (node) => [
      [node.gain, ({ gain }) => gain as number],
      [node.Q, ({ q }) => cut ? inDB(q as number) : q as number],
    ]);
  },
};
