import { assertAlmostEquals, assertEquals } from "@std/assert";
import { number } from "../../../../core/tree/leaf.ts";
import { type Band, responseOf } from "../../../../view/pages/mixer/wide/curve.ts";
import { placeOf, valueAt } from "../../../../view/pages/mixer/wide/slider-scale.ts";

const band: Band = { type: 0, frequency: 1000, gain: 6, q: 1 };

const responses: readonly (readonly [
  said: string,
  Partial<Band>,
  frequency: number,
  dB: number,
  within: number,
])[] = [
  ["a bell has its gain at its frequency", {}, 1000, 6, 0.01],
  ["a bell leaves what is far away", {}, 30, 0, 0.1],
  ["a low shelf has its gain below", { type: 1 }, 30, 6, 0.1],
  ["a low shelf has half of it at its frequency", { type: 1 }, 1000, 3, 0.01],
  ["a low shelf leaves what is above", { type: 1 }, 18_000, 0, 0.1],
  ["a high shelf has its gain above", { type: 2 }, 18_000, 6, 0.1],
  ["a high shelf leaves what is below", { type: 2 }, 30, 0, 0.1],
  ["a lowpass falls by 12 dB an octave", { type: 3, q: Math.SQRT1_2 }, 4000, -24.3, 0.5],
  ["a highpass falls by 12 dB an octave", { type: 4, q: Math.SQRT1_2 }, 250, -24.1, 0.5],
  [
    "a highpass of this q is 3 dB down at its frequency",
    { type: 4, q: Math.SQRT1_2 },
    1000,
    -3,
    0.1,
  ],
  ["a bandpass passes its frequency", { type: 5 }, 1000, 0, 0.01],
  ["an allpass passes all", { type: 7 }, 300, 0, 0.01],
];
for (const [said, also, frequency, dB, within] of responses) {
  Deno.test(said, () => {
    assertAlmostEquals(responseOf([{ ...band, ...also }], frequency), dB, within);
  });
}

Deno.test("bands add up", () => {
  assertAlmostEquals(responseOf([band, { ...band, gain: -4 }], 1000), 2, 0.01);
});

const frequency = number(80, { min: 20, max: 20_000, step: 1, unit: "Hz" });
const gain = number(0, { min: -20, max: 20, step: 0.1, unit: "dB" });

Deno.test("the slider of a frequency goes by octaves, that of a gain evenly", () => {
  assertAlmostEquals(placeOf(200, frequency), 1 / 3, 1e-9);
  assertEquals(valueAt(1 / 3, frequency), 200);
  assertEquals(placeOf(10, gain), 0.75);
  assertEquals(valueAt(0.7512, gain), 10);
  assertEquals([valueAt(-1, frequency), valueAt(2, gain)], [20, 20]);
});
