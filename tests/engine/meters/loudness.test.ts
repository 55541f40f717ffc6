/** Loudness by the cases of EBU Tech 3341, from levels and from samples. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { fromDecibels } from "../../../engine/meters/decibels.ts";
import { createKWeighting } from "../../../engine/meters/k-weighting.ts";
import { createLoudness, type Loudness } from "../../../engine/meters/loudness.ts";
import { inBlocks, toneOf } from "./tones.ts";

/** A part of a signal: stereo, 1 kHz, its level in dBFS and its duration in s. */
type Part = readonly [dBFS: number, seconds: number];

const RATE = 48_000;
const BLOCK = 0.04;

/** A meter after the levels of these parts, block by block. */
function ofLevels(parts: readonly Part[]): Loudness {
  const meter = createLoudness();
  for (const [dBFS, seconds] of parts) {
    const power = 2 * fromDecibels(dBFS) ** 2 / 2;
    for (let left = seconds; left > 1e-6; left -= BLOCK) meter.step(power, Math.min(left, BLOCK));
  }
  return meter;
}

/** A meter after the samples of these parts, through the filter. */
function ofSamples(parts: readonly Part[]): Loudness {
  const meter = createLoudness();
  const filter = createKWeighting(RATE);
  for (const [dBFS, seconds] of parts) {
    const tone = toneOf({ frequency: 1000, seconds, amplitude: fromDecibels(dBFS) });
    for (let at = 0; at < tone.length; at += 4800) {
      const block = tone.subarray(at, at + 4800);
      // Both channels have the same signal.
      meter.step(2 * filter.power(block), block.length / RATE);
    }
  }
  return meter;
}

/** The integrated loudness of signals, in LUFS, to 0.1 (cases 1 to 5). */
const integrated: readonly (readonly [readonly Part[], number])[] = [
  [[[-23, 20]], -23],
  [[[-33, 20]], -33],
  [[[-36, 10], [-23, 60], [-36, 10]], -23],
  [[[-72, 10], [-36, 10], [-23, 60], [-36, 10], [-72, 10]], -23],
  [[[-26, 20], [-20, 20.1], [-26, 20]], -23],
];

for (const [parts, expected] of integrated) {
  Deno.test(`the integrated loudness of ${parts.map((part) => part.join(" dBFS for ")).join(" s, ")} s is ${expected} LUFS`, () => {
    for (const meter of [ofLevels(parts), ofSamples(parts)]) {
      assertAlmostEquals(meter.values()._leveli, expected, 0.1);
    }
  });
}

Deno.test("a stereo sine of 1 kHz at -23 dBFS reads -23 LUFS as M, S and I", () => {
  for (const meter of [ofLevels([[-23, 20]]), ofSamples([[-23, 20]])]) {
    const { _peak, _maxpeak, ...values } = meter.values();
    for (const value of Object.values(values)) assertAlmostEquals(value, -23, 0.1);
  }
});

Deno.test("momentary is the loudness of the last 400 ms, short-term of the last 3 s; the maximum of both is kept", () => {
  const meter = ofLevels([[-20, 10], [-120, 0.2]]);
  assertAlmostEquals(meter.values()._levelm, -23.01, 0.01);
  assertAlmostEquals(meter.values()._levels, -20.3, 0.01);
  for (let count = 0; count < 30; count++) meter.step(0, 0.1);
  const { _levelm, _levels, _maxm, _maxs } = meter.values();
  assertEquals([_levelm, _levels], [-125, -125]);
  assertAlmostEquals(_maxm, -20, 0.01);
  assertAlmostEquals(_maxs, -20, 0.01);
});

/** A meter after silence, a stereo tone of 1 kHz at -23 dBFS, and 1 s of silence. */
function afterSilence(silence: number, seconds: number): Loudness {
  const meter = createLoudness();
  const filter = createKWeighting(RATE);
  const tone = toneOf({ frequency: 1000, seconds, amplitude: fromDecibels(-23) });
  const samples = new Float32Array(Math.round((silence + seconds + 1) * RATE));
  samples.set(tone, Math.round(silence * RATE));
  inBlocks(samples, (block) => meter.step(2 * filter.power(block), block.length / RATE));
  return meter;
}

Deno.test("the maximum of momentary is that of the signal, whenever its 400 ms begin (case 13)", () => {
  for (let index = 0; index < 20; index++) {
    assertAlmostEquals(afterSilence(index * 0.02, 0.4).values()._maxm, -23, 0.1);
  }
});

Deno.test("the maximum of short-term is that of the signal, whenever its 3 s begin (case 10)", () => {
  for (let index = 0; index < 20; index++) {
    assertAlmostEquals(afterSilence(index * 0.15, 3).values()._maxs, -23, 0.1);
  }
});

Deno.test("sound below -70 LUFS, or 10 LU below the mean, is gated out", () => {
  assertEquals(ofLevels([[-71, 20]]).values()._leveli, -125);
  // The mean of both parts is -22.8 LUFS.
  assertAlmostEquals(ofLevels([[-20, 20], [-33.5, 20]]).values()._leveli, -20, 0.1);
  assertAlmostEquals(ofLevels([[-20, 20], [-32, 20]]).values()._leveli, -22.74, 0.1);
});

Deno.test("a single window of 400 ms has an integrated loudness, a shorter signal has none", () => {
  assertEquals(ofLevels([[-20, 0.39]]).values()._leveli, -125);
  assertAlmostEquals(ofLevels([[-20, 0.4]]).values()._leveli, -20, 0.01);
  assertEquals(new Set(Object.values(createLoudness().values())), new Set([-125]));
});

/** The filter against a sine of 1 kHz, in dB, at frequencies in Hz (BS.1770). */
const weights: readonly (readonly [number, number])[] = [
  [38, -6.7],
  [100, -1.8],
  [1000, 0],
  [2000, 2.4],
  [10_000, 3.3],
];

for (const [frequency, expected] of weights) {
  Deno.test(`the filter weights ${frequency} Hz by ${expected} dB against 1 kHz, at every rate`, () => {
    for (const rate of [44_100, 48_000, 96_000]) {
      const filter = createKWeighting(rate);
      const tone = toneOf({ frequency, seconds: 1, rate });
      filter.power(tone);
      assertAlmostEquals(10 * Math.log10(2 * filter.power(tone)), expected, 0.2, `${rate}`);
    }
  });
}
