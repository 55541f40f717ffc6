import { assertEquals } from "@std/assert";
import { en } from "../../../../view/texts/languages.ts";
import {
  heightOf,
  levelAxis,
  linesOf,
  loudnessAxis,
  reading,
} from "../../../../view/pages/plots/axis.ts";

const heights: readonly (readonly [value: number, height: number])[] = [
  [-160, 0],
  [-60, 0],
  [-30, 0.5],
  [0, 1],
  [6, 1],
];

for (const [value, height] of heights) {
  Deno.test(`${value} dBFS stands at ${height} of the height`, () => {
    assertEquals(heightOf(levelAxis, value), height);
  });
}

Deno.test("the lines of an axis are its steps, including both ends", () => {
  assertEquals(linesOf(levelAxis), [-60, -50, -40, -30, -20, -10, 0]);
  assertEquals(linesOf(loudnessAxis), [-50, -45, -40, -35, -30, -25, -20, -15, -10, -5]);
});

const readings: readonly (readonly [value: number | undefined, text: string])[] = [
  [undefined, "–"],
  [-160, "−∞"],
  [-125, "−∞"],
  [-23.04, "-23.0"],
  [0.25, "0.3"],
];

for (const [value, text] of readings) {
  Deno.test(`${value} reads ${text}`, () => assertEquals(reading(value, en.decimal), text));
}
