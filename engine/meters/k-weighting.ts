/**
 * The K-weighting filter of ITU-R BS.1770: a shelf for the acoustic effect of the head, and a
 * high-pass filter. The standard gives the coefficients for 48 kHz; here they are computed for any
 * sample rate.
 *
 * @module
 */

/** A high shelf of 4 dB above 1.7 kHz, and a high-pass filter at 38 Hz. */
const SHELF = { frequency: 1681.974450955533, q: 0.7071752369554196, dB: 3.999843853973347 };
const HIGH_PASS = { frequency: 38.13547087602444, q: 0.5003270373238773 };

/** The gain of the shelf at its centre frequency is its full gain to the power of this. */
const SHELF_MIDDLE = 0.4996667741545416;

/** The factor of power (-0.691 dB) that compensates the gain of the filter at 1 kHz. */
const AT_1_KHZ = 10 ** -0.0691;

/** Filters the samples of one channel. */
export interface KWeighting {
  /** Returns the mean square of the next samples after the filter. */
  power(samples: Float32Array): number;
}

/** Makes the filter for one channel; `sampleRate` in Hz. */
export function createKWeighting(sampleRate: number): KWeighting {
  const shelf = createFilter(shelfOf(sampleRate));
  const highPass = createFilter(highPassOf(sampleRate));
  return {
    power(samples) {
      let sum = 0;
      for (const sample of samples) sum += highPass(shelf(sample)) ** 2;
      return samples.length === 0 ? 0 : AT_1_KHZ * sum / samples.length;
    },
  };
}

/** The coefficients of a second-order filter with `a0` = 1. */
interface Coefficients {
  readonly b: readonly [number, number, number];
  readonly a: readonly [number, number];
}

function shelfOf(sampleRate: number): Coefficients {
  const k = Math.tan(Math.PI * SHELF.frequency / sampleRate);
  const high = 10 ** (SHELF.dB / 20);
  const middle = high ** SHELF_MIDDLE;
  const { q } = SHELF;
  const a0 = 1 + k / q + k * k;
  return {
    b: [
      (high + middle * k / q + k * k) / a0,
      2 * (k * k - high) / a0,
      (high - middle * k / q + k * k) / a0,
    ],
    a: [2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0],
  };
}

function highPassOf(sampleRate: number): Coefficients {
  const k = Math.tan(Math.PI * HIGH_PASS.frequency / sampleRate);
  const { q } = HIGH_PASS;
  const a0 = 1 + k / q + k * k;
  return { b: [1, -2, 1], a: [2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0] };
}

function createFilter({ b: [b0, b1, b2], a: [a1, a2] }: Coefficients): (sample: number) => number {
  let one = 0;
  let two = 0;
  return (sample) => {
    const out = b0 * sample + one;
    one = b1 * sample - a1 * out + two;
    two = b2 * sample - a2 * out;
    return out;
  };
}
