/**
 * The blocks that are filters: `subsonic`, `eq`, `eq1` to `eq4`, `varfilter`, `varfilter1` and
 * `varfilter2`.
 *
 * @module
 */
import { BLOCK, type Stereo } from "../signal.ts";
import { createBiquad, type FilterType } from "./biquad.ts";
import { type Block, type BlockKind, type BlockValues, follow } from "./block.ts";

/** The types of filters of an equalizer; its `type` is an index of this list. */
const EQ_TYPES: readonly FilterType[] = [
  "peaking",
  "lowshelf",
  "highshelf",
  "lowpass",
  "highpass",
  "bandpass",
  "notch",
  "allpass",
];

/** Number of samples for which a moving filter keeps its coefficients. */
const MOVING_SAMPLES = 16;

/** Makes a filter whose frequency, Q and gain follow the values of a block. */
function filter(
  sampleRate: number,
  values: BlockValues,
  type: FilterType,
  qOf: (values: BlockValues) => number,
  gainOf: (values: BlockValues) => number = () => 0,
): Block {
  const biquad = createBiquad(sampleRate);
  const { ramps, update } = follow(sampleRate, values, {
    // By octaves: a frequency that falls evenly in Hz halves ever faster, and the filter bursts.
    octave: ({ frequency }) => Math.log2(frequency as number),
    q: qOf,
    gain: gainOf,
  });
  const { octave, q, gain } = ramps;
  const set = (when: number) =>
    biquad.set(type, 2 ** octave.valueAt(when), q.valueAt(when), gain.valueAt(when));
  let moved = true;

  function process(signal: Stereo, frame: number): void {
    const moves = [octave, q, gain].some((ramp) => ramp.steady(frame) === undefined);
    if (!moves) {
      if (moved) set(frame);
      moved = false;
      return biquad.process(signal);
    }
    moved = true;
    for (let at = 0; at < BLOCK; at += MOVING_SAMPLES) {
      set(frame + at);
      biquad.process(signal, at, at + MOVING_SAMPLES);
    }
  }

  return { process, update };
}

/** `subsonic`: a highpass of 12 dB an octave, 3 dB down at its frequency. */
export const subsonic: BlockKind = {
  make: (sampleRate, values) => filter(sampleRate, values, "highpass", () => Math.SQRT1_2),
};

/** `eq` and `eq1` to `eq4`: a filter of the selected type. */
export const equalizer: BlockKind = {
  fixed: ({ type }) => [type!],
  make: (sampleRate, values) =>
    filter(
      sampleRate,
      values,
      EQ_TYPES[values.type as number] ?? "peaking",
      ({ q }) => q as number,
      ({ gain }) => gain as number,
    ),
};

/**
 * `varfilter`, `varfilter1` and `varfilter2`: a highpass or a lowpass of 6 dB an octave for each
 * order, 3 dB down at its frequency (Butterworth).
 */
export const variable: BlockKind = {
  fixed: ({ hipass, order }) => [hipass!, order!],
  make(sampleRate, values) {
    const order = values.order as number;
    const type = values.hipass === true ? "highpass" : "lowpass";
    const parts = Array.from({ length: Math.floor(order / 2) }, (_, pair) => {
      const q = 1 / (2 * Math.sin((2 * pair + 1) * Math.PI / (2 * order)));
      return filter(sampleRate, values, type, () => q);
    });
    if (order % 2 === 1) parts.push(filter(sampleRate, values, `${type}1`, () => 1));
    return {
      process(signal, frame) {
        for (const part of parts) part.process(signal, frame);
      },
      update(values, when) {
        for (const part of parts) part.update(values, when);
      },
    };
  },
};
