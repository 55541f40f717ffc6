import { assertEquals } from "@std/assert";
import { number } from "../../../core/tree/leaf.ts";
import { de, en } from "../../../view/texts/languages.ts";
import { typedNumber, valueText } from "../../../view/texts/decimal.ts";

const frequency = number(80, { min: 20, max: 20_000, step: 1, unit: "Hz" });
const gain = number(0, { min: -20, max: 20, step: 0.1, unit: "dB" });
const balance = number(0, { min: -1, max: 1, step: 0.01 });

const values = [
  [2500, frequency, "2.50 kHz", "2,50 kHz"],
  [12_500, frequency, "12.50 kHz", "12,50 kHz"],
  [80, frequency, "80 Hz", "80 Hz"],
  [-3, gain, "-3.0 dB", "-3,0 dB"],
  [-0.04, gain, "0.0 dB", "0,0 dB"],
  [0.25, balance, "0.25", "0,25"],
] as const;

for (const [value, leaf, english, german] of values) {
  Deno.test(`${value} is written with its unit and the digits of its step: ${german}`, () => {
    assertEquals(valueText(value, leaf, en.decimal), english);
    assertEquals(valueText(value, leaf, de.decimal), german);
  });
}

const typed = [
  ["-6,5", undefined, -6.5],
  [" 3.25 ", undefined, 3.25],
  ["0", undefined, 0],
  ["", undefined, NaN],
  ["1,2,3", undefined, NaN],
  ["6 dB", undefined, NaN],
  ["−6,5 dB", "dB", -6.5],
  ["– 6.5dB", "dB", -6.5],
  ["−∞ dB", "dB", -Infinity],
  ["-∞", "dB", -Infinity],
  ["dB", "dB", NaN],
  ["6 s", "dB", NaN],
  ["2 s", "s", 2],
  ["0,5", "s", 0.5],
  ["500 ms", "s", 0.5],
  ["3 dB", "s", NaN],
  ["3", "furlong", NaN],
] as const;

for (const [text, unit, value] of typed) {
  Deno.test(`what is typed as "${text}" is read as ${value} ${unit ?? "without a unit"}`, () => {
    assertEquals(typedNumber(text, unit), value);
  });
}
