/**
 * The peak programme meter, type I of IEC 60268-10. It integrates over 5 ms: a tone of that length
 * reads 2 dB less than a continuous one. It returns by 20 dB in 1.7 s.
 *
 * @module
 */
import { toDecibels } from "./decibels.ts";
import type { Meter, SampleMeter } from "./meter.ts";
import { fallen, NOTHING } from "./return.ts";

/**
 * Time constants of two integrators, in s. The standard requires -1 dB for a burst of 10 ms, -2 dB
 * for 5 ms, -4 dB for 3 ms and -15 dB for 0.4 ms. No single integrator meets the tolerances of all
 * four; the mean of these two is within 0.7 dB of each.
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

/**
 * Half a period of 1 kHz in s: a block of this length contains the peak of any tone above 1 kHz.
 */
const BLOCK_SECONDS = 0.0005;

/** Makes a PPM of samples; `sampleRate` in Hz. */
export function createPpmOfSamples(sampleRate: number): SampleMeter {
  const longest = Math.max(1, Math.round(sampleRate * BLOCK_SECONDS));
  // Computed once for each length of a block, as there are many meters, and many blocks.
  const factors = (byOneSecond: (seconds: number) => number) =>
    Float64Array.from({ length: longest + 1 }, (_, length) => byOneSecond(length / sampleRate));
  const returns = factors((seconds) => fallen(1, 0, seconds));
  const [fastRises, slowRises] = RISE_SECONDS.map((rise) =>
    factors((seconds) => Math.exp(-seconds / rise))
  );
  let fast = 0;
  let slow = 0;
  return {
    take(samples) {
      for (let at = 0; at < samples.length; at += longest) {
        const end = Math.min(at + longest, samples.length);
        const peak = peakOf(samples, at, end);
        const length = end - at;
        fast = peak > fast
          ? peak + (fast - peak) * fastRises![length]!
          : Math.max(peak, fast * returns[length]!);
        slow = peak > slow
          ? peak + (slow - peak) * slowRises![length]!
          : Math.max(peak, slow * returns[length]!);
      }
      const shown = (fast + slow) / 2;
      // Processors are slow with denormal numbers.
      if (shown < NOTHING) fast = slow = 0;
      return toDecibels(shown);
    },
  };
}

function peakOf(samples: Float32Array, from: number, to: number): number {
  let peak = 0;
  for (let at = from; at < to; at++) peak = Math.max(peak, Math.abs(samples[at]!));
  return peak;
}
