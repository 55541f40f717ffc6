/** The VU meter by the values of IEC 60268-17. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { fromDecibels } from "../../../engine/meters/decibels.ts";
import { createVu, createVuOfSamples } from "../../../engine/meters/vu.ts";
import { inBlocks, toneOf } from "./tones.ts";

Deno.test("a VU meter reads 99 % of a tone after 300 ms, for levels and for samples", () => {
  assertAlmostEquals(fromDecibels(createVu().step(1, 0.3)), 0.99, 1e-6);
  const tone = toneOf({ frequency: 1000, seconds: 0.3 });
  assertAlmostEquals(fromDecibels(inBlocks(tone, createVuOfSamples(48_000).take)), 0.99, 0.005);
});

Deno.test("a VU meter falls as it rises: 300 ms after the end of a tone 1 % is left", () => {
  const meter = createVu();
  meter.step(1, 5);
  assertAlmostEquals(meter.step(0, 0.3), -40, 0.01);
});

Deno.test("a continuous tone reads its peak, and noise of the same peak less", () => {
  const meter = createVuOfSamples(48_000);
  const tone = toneOf({ frequency: 1000, seconds: 3, amplitude: 0.1 });
  assertAlmostEquals(inBlocks(tone, meter.take), -20, 0.02);
  const impulses = tone.map((_, at) => at % 20 === 0 ? 0.1 : 0);
  assert(inBlocks(impulses, createVuOfSamples(48_000).take) < -35);
});

Deno.test("a VU meter begins at silence, and an empty block does not change it", () => {
  const meter = createVuOfSamples(48_000);
  assertEquals(meter.take(new Float32Array(0)), -125);
  const shown = inBlocks(toneOf({ frequency: 1000, seconds: 1 }), meter.take);
  assertEquals(meter.take(new Float32Array(0)), shown);
});
