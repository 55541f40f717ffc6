import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { isAtRest, moved, SILENT } from "../../../../view/parts/meters/needle.ts";
import { heightOf, METER_MARKS, type MeterMode } from "../../../../view/parts/meters/scale.ts";

const heights: readonly (readonly [MeterMode, dB: number, height: number])[] = [
  ["PPM", -125, 0],
  ["PPM", -20, 0.5],
  ["PPM", -10, 0.75],
  ["PPM", 0, 1],
  ["PPM", 3, 1],
  ["VU", 0, 1],
  ["VU", -125, 0],
  ["TruePeak", -30, 0.5],
  ["TruePeak", 3, 1],
  ["LUFS", -125, 0],
  ["LUFS", -32, 0.5],
  ["LUFS", -5, 1],
];
for (const [mode, dB, height] of heights) {
  Deno.test(`${dB} dB stands at ${height} of the height of the ${mode} scale`, () => {
    assertAlmostEquals(heightOf(dB, mode), height, 1e-9);
  });
}

Deno.test("a louder level never stands lower on any scale, and every mark is above the bottom of its scale", () => {
  for (const mode of ["PPM", "VU", "TruePeak", "LUFS"] as const) {
    for (let dB = -125; dB < 5; dB++) assert(heightOf(dB + 1, mode) >= heightOf(dB, mode));
    for (const dB of METER_MARKS[mode]) assert(heightOf(dB, mode) > 0, `${mode} ${dB}`);
  }
});

Deno.test("a needle glides to the reported level, and rests there", () => {
  let needle = SILENT;
  for (let frame = 0; frame < 6; frame++) needle = moved(needle, -20, 1 / 60);
  assert(needle.level > -21.5, `${needle.level} dB`);
  for (let frame = 0; frame < 30; frame++) needle = moved(needle, -20, 1 / 60);
  assertEquals(needle.level, -20);
});

Deno.test("the peak is held for 1.5 s, and then falls by 20 dB in 1.7 s", () => {
  let needle = moved(SILENT, -6, 1);
  for (let ms = 0; ms < 1400; ms += 10) needle = moved(needle, -60, 0.01);
  assertEquals(needle.peak, -6);
  for (let ms = 1400; ms < 1500 + 1700; ms += 10) needle = moved(needle, -60, 0.01);
  assertAlmostEquals(needle.peak, -26, 0.2);
});

Deno.test("a needle is at rest once its level is the reported one and its peak has fallen to it", () => {
  let needle = moved(moved(SILENT, -6, 1), -20, 1);
  assert(!isAtRest(needle, -20), "its peak is held");
  while (!isAtRest(needle, -20)) needle = moved(needle, -20, 0.01);
  assertEquals(needle.peak, -20);
  const { level, peak } = moved(needle, -20, 1);
  assertEquals([level, peak], [-20, -20]);
  assert(!isAtRest(needle, -19), "another level moves it");
});
