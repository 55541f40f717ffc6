/**
 * The VU meter (IEC 60268-17): the mean of the rectified signal, which reaches 99 % of a new level
 * in 300 ms, up as well as down. It shows the peak level, in dBFS, of the sine that has this mean.
 * The needle of the standard overshoots by 1 %; this meter does not.
 *
 * @module
 */
import { toDecibels } from "./decibels.ts";
import type { Meter, SampleMeter } from "./meter.ts";

/** The time constant in s: after 0.3 s, 99 % of a step is reached. */
const TIME_CONSTANT_S = 0.3 / Math.log(100);

/** The ratio of the peak of a sine to the mean of its rectified form. */
const SINE_PEAK = Math.PI / 2;

/**
 * Makes a VU meter, silent at first. `step` takes the mean of the rectified signal of a block times
 * π/2: the amplitude of the sine with that mean.
 */
export function createVu(): Meter {
  let shown = 0;
  return {
    step(level, seconds) {
      shown = level + (shown - level) * Math.exp(-seconds / TIME_CONSTANT_S);
      return toDecibels(shown);
    },
  };
}

/** Makes a VU meter of samples; `sampleRate` in Hz. */
export function createVuOfSamples(sampleRate: number): SampleMeter {
  const meter = createVu();
  return {
    take(samples) {
      if (samples.length === 0) return meter.step(0, 0);
      let sum = 0;
      for (const sample of samples) sum += Math.abs(sample);
      return meter.step(SINE_PEAK * sum / samples.length, samples.length / sampleRate);
    },
  };
}
