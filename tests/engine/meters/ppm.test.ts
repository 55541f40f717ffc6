/** The peak programme meter by the values of IEC 60268-10, type I. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { createPpm, createPpmOfSamples } from "../../../engine/meters/ppm.ts";
import { inBlocks, toneOf } from "./tones.ts";

/** A burst of 5 kHz: its duration in ms, its reading below the peak in dB, the tolerance in dB. */
const bursts: readonly (readonly [number, number, number])[] = [
  [100, 0, 0.1],
  [10, -1, 0.5],
  [5, -2, 1],
  [3, -4, 1],
  [0.4, -15, 4],
];

for (const [ms, expected, tolerance] of bursts) {
  Deno.test(`a burst of 5 kHz of ${ms} ms reads ${expected} dB`, () => {
    assertAlmostEquals(createPpm().step(1, ms / 1000), expected, tolerance);
    for (const rate of [44_100, 48_000, 96_000]) {
      const burst = toneOf({ frequency: 5000, seconds: ms / 1000, rate });
      assertAlmostEquals(createPpmOfSamples(rate).take(burst), expected, tolerance);
    }
  });
}

Deno.test("a PPM falls by 20 dB in 1.7 s, for levels and for samples", () => {
  const meter = createPpm();
  const ofSamples = createPpmOfSamples(48_000);
  meter.step(1, 1);
  inBlocks(toneOf({ frequency: 1000, seconds: 1 }), ofSamples.take);
  const silence = new Float32Array(1.7 * 48_000);
  assertAlmostEquals(meter.step(0, 1.7), -20, 0.01);
  assertAlmostEquals(inBlocks(silence, ofSamples.take), -20, 0.1);
  assertAlmostEquals(meter.step(0.01, 1.7), -40, 0.01);
  assertAlmostEquals(meter.step(0.01, 1.7), -40, 0.01, "it stays at the level that is");
  assertAlmostEquals(meter.step(0, 7.2), -40 - 7.2 * 20 / 1.7, 0.01);
  assertEquals(meter.step(0, 0.1), -125);
});

Deno.test("a continuous tone of any frequency reads its peak", () => {
  for (const frequency of [100, 315, 1000, 5000, 12_500]) {
    const tone = toneOf({ frequency, seconds: 1, amplitude: 0.5 });
    assertAlmostEquals(inBlocks(tone, createPpmOfSamples(48_000).take), -6.02, 0.3, `${frequency}`);
  }
  assertAlmostEquals(createPpm().step(0.5, 0.1), -6.0206, 1e-4);
});

Deno.test("a PPM begins at silence, and an empty block does not change it", () => {
  assertEquals(createPpm().step(0, 1), -125);
  assertEquals(createPpmOfSamples(48_000).take(new Float32Array(0)), -125);
});
