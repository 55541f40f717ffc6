import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { number } from "../../../../../core/tree/leaf.ts";
import { placeOf, stepped, valueAt } from "../../../../../view/pages/mixer/wide/slider-scale.ts";

const frequency = number(80, { min: 20, max: 20_000, step: 1, unit: "Hz" });
const gain = number(0, { min: -20, max: 20, step: 0.1, unit: "dB" });
const threshold = number(-20, { min: -80, max: 20, step: 0.5, unit: "dB" });
const q = number(0.7, { min: 0.1, max: 20, step: 0.1 });
const order = number(2, { min: 1, max: 8, step: 1 });

Deno.test("the slider of a frequency is logarithmic, that of a gain linear", () => {
  assertAlmostEquals(placeOf(200, frequency), 1 / 3, 1e-9);
  assertEquals(valueAt(1 / 3, frequency), 200);
  assertEquals(placeOf(10, gain), 0.75);
  assertEquals(valueAt(0.7512, gain), 10);
  assertEquals([valueAt(-1, frequency), valueAt(2, gain)], [20, 20]);
});

Deno.test("the slider of Q is logarithmic, that of an order linear", () => {
  assertAlmostEquals(placeOf(Math.sqrt(2), q), 0.5, 1e-9);
  assertAlmostEquals(placeOf(4.5, order), 0.5, 1e-9);
});

for (
  const [what, leaf, from, steps, isFine, to] of [
    ["a gain by 1 dB", gain, -3, 1, false, -2],
    ["a gain finely by a tenth", gain, -3, -1, true, -3.1],
    ["a threshold finely by its own step", threshold, -20, -1, true, -20.5],
    ["a gain to its end", gain, 3, Infinity, false, 20],
    ["a gain no further than its end", gain, 19.5, 1, false, 20],
    ["a frequency by a hundredth of its travel", frequency, 1000, 1, false, 1072],
    ["a frequency finely by a tenth of that", frequency, 1000, 1, true, 1007],
    ["a low Q by no less than its step", q, 0.3, -1, true, 0.2],
    ["a high Q by a hundredth of its travel", q, 10, 1, false, 10.5],
  ] as const
) {
  Deno.test(`a step moves ${what}`, () => {
    assertEquals(stepped(from, steps, leaf, isFine), to);
  });
}

Deno.test("a step changes every value, except at the end of the slider", () => {
  const leaf = fc.constantFrom(frequency, gain, threshold, q);
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(leaf, place, fc.boolean(), fc.boolean(), (leaf, place, isUp, isFine) => {
      const from = valueAt(place, leaf);
      const to = stepped(from, isUp ? 1 : -1, leaf, isFine);
      const end = isUp ? leaf.max! : leaf.min!;
      assert(isUp ? to > from || from === end : to < from || from === end, `${from} to ${to}`);
      assert(to >= leaf.min! && to <= leaf.max!);
    }),
  );
});
