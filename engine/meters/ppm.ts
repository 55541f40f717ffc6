/**
 * The peak programme meter, type I of IEC 60268-10. It integrates over 5 ms: a tone that is this
 * short reads 2 dB less than one that lasts. It returns by 20 dB in 1.7 s.
 *
 * @module
 */
import { toDecibels } from "./decibels.ts";
import type { Meter, SampleMeter } from "./meter.ts";
import { fallen } from "./return.ts";

/**
 * The standard wants -1 dB of a burst of 10 ms, -2 of 5, -4 of 3 and -15 of 0.4. No single
 * integrator comes within its tolerances of all four; the mean of these two, in s, is within 0.7 dB
 * of each.
 */
const RISE_SECONDS = [0.0013, 0.006] as const;

/** Makes a PPM, silent at first. It takes the peak of each block. */
export function createPpm(): Meter {
  let fast = 0;
  let slow = 0;
  return {
    step(level, seconds) {
      fast = moved(fast, level, seconds, RISE_SECONDS[0]);
      slow = moved(slow, level, seconds, RISE_SECONDS[1]);
      return toDecibels((fast + slow) / 2);
    },
  };
}

function moved(shown: number, level: number, seconds: number, rise: number): number {
  return level > shown
    ? level + (shown - level) * Math.exp(-seconds / rise)
    : fallen(shown, level, seconds);
}

/** Half a wave of 1 kHz: in a block of this length, in s, a tone above that has its peak. */
const BLOCK_SECONDS = 0.0005;

/** Makes a PPM of samples; `sampleRate` in Hz. */
export function createPpmOfSamples(sampleRate: number): SampleMeter {
  const meter = createPpm();
  const length = Math.max(1, Math.round(sampleRate * BLOCK_SECONDS));
  let shown = meter.step(0, 0);
  return {
    take(samples) {
      for (let at = 0; at < samples.length; at += length) {
        const end = Math.min(at + length, samples.length);
        shown = meter.step(peakOf(samples, at, end), (end - at) / sampleRate);
      }
      return shown;
    },
  };
}

function peakOf(samples: Float32Array, from: number, to: number): number {
  let peak = 0;
  for (let at = from; at < to; at++) peak = Math.max(peak, Math.abs(samples[at]!));
  return peak;
}
