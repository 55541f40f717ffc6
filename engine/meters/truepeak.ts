/**
 * The true peak meter (ITU-R BS.1770, annex 2): it also measures the peaks between the samples, by
 * fourfold oversampling. It rises at once and returns like a PPM.
 *
 * @module
 */
import { toDecibels } from "./decibels.ts";
import type { Meter, SampleMeter } from "./meter.ts";
import { fallen } from "./return.ts";

/**
 * Makes a true peak meter, which begins with silence and is fed with the true peak of each block.
 */
export function createTruePeak(): Meter {
  let shown = 0;
  return {
    step(level, seconds) {
      shown = fallen(shown, level, seconds);
      return toDecibels(shown);
    },
  };
}

/**
 * The interpolation filter of the standard in four phases: each computes one of four output samples
 * from the last twelve input samples. The third and the fourth phase are the second and the
 * first phase in reverse.
 */
// deno-fmt-ignore
const FIRST: readonly number[] = [
  0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125,
  -0.0594482421875, 0.1373291015625, 0.97216796875, -0.102294921875,
  0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
];
// deno-fmt-ignore
const SECOND: readonly number[] = [
  -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125,
  -0.16650390625, 0.465087890625, 0.77978515625, -0.2003173828125,
  0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
];
const PHASES = [FIRST, SECOND, SECOND.toReversed(), FIRST.toReversed()]
  .map((phase) => Float64Array.from(phase));
const TAPS = FIRST.length;

/** Makes a true peak meter of samples; `sampleRate` in Hz. */
export function createTruePeakOfSamples(sampleRate: number): SampleMeter {
  const meter = createTruePeak();
  let before = new Float32Array(TAPS - 1);
  return {
    take(samples) {
      const all = new Float32Array(before.length + samples.length);
      all.set(before);
      all.set(samples, before.length);
      before = all.slice(samples.length);
      let peak = 0;
      for (let at = TAPS - 1; at < all.length; at++) {
        for (const phase of PHASES) {
          let sum = 0;
          for (let tap = 0; tap < TAPS; tap++) sum += phase[tap]! * all[at - tap]!;
          peak = Math.max(peak, Math.abs(sum));
        }
      }
      return meter.step(peak, samples.length / sampleRate);
    },
  };
}
