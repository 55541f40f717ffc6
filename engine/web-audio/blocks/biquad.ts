/**
 * A filter of the second order for both sides, with the coefficients of Web Audio ("Filters
 * Characteristics"), which are those of the Audio EQ Cookbook.
 *
 * @module
 */
import { BLOCK, type Stereo } from "../signal.ts";

/** The types of filters. */
export type FilterType =
  | "peaking"
  | "lowshelf"
  | "highshelf"
  | "lowpass"
  | "highpass"
  | "bandpass"
  | "notch"
  | "allpass"
  | "lowpass1"
  | "highpass1";

/** Maximum frequency of a filter, as a fraction of the sample rate. */
const MAX_FREQUENCY = 0.49;

/** A state below this counts as 0: processors are slow with denormal numbers. */
const NOTHING = 1e-30;

/** A filter, made by {@linkcode createBiquad}. */
export interface Biquad {
  /**
   * Sets what the filter does from the next sample on.
   *
   * @param frequency in Hz
   * @param q a ratio, where the type has a Q; a lowpass with 0.707 is 3 dB down at its frequency
   * @param gain in dB, where the type has a gain
   */
  set(type: FilterType, frequency: number, q: number, gain: number): void;
  /** Filters, in place, the samples from `from` up to but not including `to`. */
  process(signal: Stereo, from?: number, to?: number): void;
}

/** Makes a filter, which at first passes its input unchanged. */
export function createBiquad(sampleRate: number): Biquad {
  /** The coefficients b0, b1, b2, a1, a2, with a0 = 1. */
  const c = Float64Array.of(1, 0, 0, 0, 0);
  /** The state: two values of the left side, and two of the right side. */
  const state = new Float64Array(4);
  return {
    set(type, frequency, q, gain) {
      coefficients(type, Math.min(MAX_FREQUENCY, frequency / sampleRate), q, gain, c);
    },
    process([left, right], from = 0, to = BLOCK) {
      const b0 = c[0]!, b1 = c[1]!, b2 = c[2]!, a1 = c[3]!, a2 = c[4]!;
      let l1 = state[0]!, l2 = state[1]!, r1 = state[2]!, r2 = state[3]!;
      for (let at = from; at < to; at++) {
        const l = left[at]!;
        const r = right[at]!;
        const lOut = b0 * l + l1;
        const rOut = b0 * r + r1;
        l1 = b1 * l - a1 * lOut + l2;
        r1 = b1 * r - a1 * rOut + r2;
        l2 = b2 * l - a2 * lOut;
        r2 = b2 * r - a2 * rOut;
        left[at] = lOut;
        right[at] = rOut;
      }
      state[0] = audible(l1);
      state[1] = audible(l2);
      state[2] = audible(r1);
      state[3] = audible(r2);
    },
  };
}

const audible = (value: number) => Math.abs(value) < NOTHING ? 0 : value;

/** Computes the coefficients; the frequency is a fraction of the sample rate. */
function coefficients(
  type: FilterType,
  frequency: number,
  q: number,
  gain: number,
  c: Float64Array,
): void {
  const w = 2 * Math.PI * frequency;
  const cos = Math.cos(w);
  const alpha = Math.sin(w) / (2 * q);
  switch (type) {
    case "lowpass":
      return set(c, (1 - cos) / 2, 1 - cos, (1 - cos) / 2, 1 + alpha, -2 * cos, 1 - alpha);
    case "highpass":
      return set(c, (1 + cos) / 2, -1 - cos, (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha);
    case "bandpass":
      return set(c, alpha, 0, -alpha, 1 + alpha, -2 * cos, 1 - alpha);
    case "notch":
      return set(c, 1, -2 * cos, 1, 1 + alpha, -2 * cos, 1 - alpha);
    case "allpass":
      return set(c, 1 - alpha, -2 * cos, 1 + alpha, 1 + alpha, -2 * cos, 1 - alpha);
    case "peaking": {
      const a = 10 ** (gain / 40);
      return set(c, 1 + alpha * a, -2 * cos, 1 - alpha * a, 1 + alpha / a, -2 * cos, 1 - alpha / a);
    }
    case "lowshelf":
      return shelf(c, 10 ** (gain / 40), cos, Math.sin(w), 1);
    case "highshelf":
      return shelf(c, 10 ** (gain / 40), cos, Math.sin(w), -1);
    case "lowpass1":
    case "highpass1": {
      const k = Math.tan(w / 2);
      const [b0, b1] = type === "lowpass1" ? [k, k] : [1, -1];
      return set(c, b0!, b1!, 0, 1 + k, k - 1, 0);
    }
  }
}

/** Computes a shelf with a slope of 1; `sign` is 1 for a low shelf, -1 for a high shelf. */
function shelf(c: Float64Array, a: number, cos: number, sin: number, sign: 1 | -1): void {
  const root = Math.SQRT2 * sin * Math.sqrt(a);
  const plus = a + 1;
  const minus = sign * (a - 1) * cos;
  set(
    c,
    a * (plus - minus + root),
    sign * 2 * a * (a - 1 - sign * plus * cos),
    a * (plus - minus - root),
    plus + minus + root,
    -sign * 2 * (a - 1 + sign * plus * cos),
    plus + minus - root,
  );
}

function set(
  c: Float64Array,
  b0: number,
  b1: number,
  b2: number,
  a0: number,
  a1: number,
  a2: number,
): void {
  c[0] = b0 / a0;
  c[1] = b1 / a0;
  c[2] = b2 / a0;
  c[3] = a1 / a0;
  c[4] = a2 / a0;
}
