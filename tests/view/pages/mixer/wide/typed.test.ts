import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { bounded, number } from "../../../../../core/tree/leaf.ts";
import { decimalIn, digitsOf, valueText } from "../../../../../view/texts/decimal.ts";
import { typedValue } from "../../../../../view/pages/mixer/wide/typed.ts";

const frequency = number(80, { min: 20, max: 20_000, step: 1, unit: "Hz" });
const gain = number(0, { min: -20, max: 20, step: 0.1, unit: "dB" });
const release = number(200, { min: 10, max: 5000, step: 1, unit: "ms" });
const q = number(0.7, { min: 0.1, max: 20, step: 0.1 });
const ratio = number(2, { min: 1, max: 20, step: 0.1 });
const order = number(2, { min: 1, max: 8, step: 1 });
const leaves = [frequency, gain, release, q, ratio, order];

const german = decimalIn("de-DE");
const english = decimalIn("en-GB");

for (
  const [text, leaf, value] of [
    ["300", frequency, 300],
    ["300 Hz", frequency, 300],
    ["300HZ", frequency, 300],
    ["1k5", frequency, 1500],
    ["1k5 Hz", frequency, 1500],
    ["1.5k", frequency, 1500],
    ["1,5 kHz", frequency, 1500],
    ["2k", frequency, 2000],
    [" 1 kHz ", frequency, 1000],
    ["-3 dB", gain, -3],
    ["−3,5", gain, -3.5],
    ["– 3 dB", gain, -3],
    ["+6", gain, 6],
    [".5", gain, 0.5],
    ["0,7", q, 0.7],
    ["0.7", q, 0.7],
    ["2:1", ratio, 2],
    ["3,5:1", ratio, 3.5],
    ["0.2 s", release, 200],
    ["150 ms", release, 150],
    ["4", order, 4],
    ["1.26", q, 1.3],
  ] as const
) {
  Deno.test(`"${text}" is read as ${value} ${leaf.unit ?? "without a unit"}`, () => {
    assertEquals(typedValue(text, leaf), { value, isBounded: false });
  });
}

for (
  const [text, leaf, value] of [
    ["5 Hz", frequency, 20],
    ["1.500", frequency, 20],
    ["99k", frequency, 20_000],
    ["-40", gain, -20],
    ["0", q, 0.1],
    ["30:1", ratio, 20],
    ["1 ms", release, 10],
    ["999999999999", gain, 20],
  ] as const
) {
  Deno.test(`"${text}" is out of range, and read as the bound ${value}`, () => {
    assertEquals(typedValue(text, leaf), { value, isBounded: true });
  });
}

for (
  const [text, leaf] of [
    ["", frequency],
    ["-", gain],
    ["dB", gain],
    ["300 Hz", gain],
    ["3 dB", frequency],
    ["1k", gain],
    ["1k5k", frequency],
    ["1.2.3", gain],
    ["1:2", ratio],
    ["five", q],
    ["1e3", frequency],
    ["0x20", frequency],
    ["Infinity", gain],
  ] as const
) {
  Deno.test(`"${text}" is no value in ${leaf.unit ?? "no unit"}`, () => {
    assertEquals(typedValue(text, leaf), undefined);
  });
}

Deno.test("the displayed text of a value is read back as that value, in both languages", () => {
  const writing = fc.constantFrom(german, english);
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...leaves), part, writing, (leaf, part, decimal) => {
      const { min, max, step } = leaf as Required<typeof leaf>;
      const value = Number((min + Math.round(part * (max - min) / step) * step)
        .toFixed(digitsOf(step)));
      const typed = typedValue(valueText(value, leaf, decimal), leaf);
      // Values in kHz are displayed with two decimals.
      const near = leaf.unit === "Hz" && value >= 1000 ? 5 : 1e-9;
      assertEquals(typed?.isBounded, false);
      assertAlmostEquals(typed!.value, value, near);
    }),
  );
});

Deno.test("typed text is refused, or read as a value that the service accepts", () => {
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[+-]?\d{0,6}[.,k]?\d{0,3} ?(Hz|kHz|dB|ms|s|:1)?$/),
  );
  fc.assert(
    fc.property(fc.constantFrom(...leaves), text, (leaf, text) => {
      const typed = typedValue(text, leaf);
      assert(typed === undefined || bounded(leaf, typed.value) === typed.value);
    }),
  );
});
