import { assertAlmostEquals, assertEquals } from "@std/assert";
import { number } from "../../../../core/tree/leaf.ts";
import { placeOf, valueAt } from "../../../../view/pages/mixer/wide/slider-scale.ts";

const frequency = number(80, { min: 20, max: 20_000, step: 1, unit: "Hz" });
const gain = number(0, { min: -20, max: 20, step: 0.1, unit: "dB" });

Deno.test("the slider of a frequency goes by octaves, that of a gain evenly", () => {
  assertAlmostEquals(placeOf(200, frequency), 1 / 3, 1e-9);
  assertEquals(valueAt(1 / 3, frequency), 200);
  assertEquals(placeOf(10, gain), 0.75);
  assertEquals(valueAt(0.7512, gain), 10);
  assertEquals([valueAt(-1, frequency), valueAt(2, gain)], [20, 20]);
});
