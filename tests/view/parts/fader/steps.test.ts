import { assertEquals } from "@std/assert";
import {
  afterKey,
  createStepCounter,
  createWheel,
  pixelsOf,
  stepsOf,
} from "../../../../view/parts/fader/steps.ts";

const keys: readonly (readonly [key: string, from: number, isFine: boolean, to?: number])[] = [
  ["ArrowUp", -12, false, -11],
  ["ArrowDown", -12, false, -13],
  ["ArrowRight", -12, false],
  ["ArrowLeft", -12, false],
  ["ArrowUp", -12, true, -11.9],
  ["ArrowDown", 0, true, -0.1],
  ["PageUp", -12, false, -7],
  ["PageDown", -12, false, -17],
  ["ArrowUp", 9.5, false, 10],
  ["ArrowDown", -160, false, -160],
  ["Home", -12, false, -160],
  ["End", -12, true, 10],
  ["a", -12, false],
  ["Tab", -12, false],
];
for (const [key, from, isFine, to] of keys) {
  Deno.test(`${isFine ? "fine, " : ""}${key} brings a fader from ${from} to ${to} dB`, () => {
    assertEquals(afterKey(key, from, isFine), to);
  });
}

Deno.test("at low levels a step is a hundredth of the travel, so that arrow keys move a fader up from off", () => {
  let dB = -160;
  for (let presses = 0; presses < 12; presses++) dB = afterKey("ArrowUp", dB, false)!;
  assertEquals(dB > -50, true, `${dB} dB`);
});

Deno.test("a notch of the wheel is a step, and half a notch half a step", () => {
  const wheel = createWheel();
  assertEquals(wheel.turn(-100, -12, false), -11);
  assertEquals(wheel.turn(100, -12, false), -13);
  assertEquals(wheel.turn(-50, -12, false), -11.5);
  assertEquals(wheel.turn(100, -12, true), -12.1);
});

for (const [isFine, expected] of [[false, -16], [true, -12.4]] as const) {
  Deno.test(`a hundred turns of 4 pixels${isFine ? ", fine," : ""} come to ${expected} dB`, () => {
    const wheel = createWheel();
    let dB = -12;
    for (let turns = 0; turns < 100; turns++) dB = wheel.turn(4, dB, isFine) ?? dB;
    assertEquals(dB, expected);
  });
}

Deno.test("small movements of a trackpad add up to whole steps, without loss", () => {
  const count = createStepCounter();
  const counted = Array.from({ length: 50 }, () => count(4, 100));
  assertEquals(counted.filter((steps) => steps !== 0), [1, 1]);
  assertEquals(count(-230, 100), -2);
});

Deno.test("a wheel that counts lines moves a fader as far as a wheel that counts pixels", () => {
  assertEquals([pixelsOf(100, { deltaMode: 0 }), pixelsOf(3, { deltaMode: 1 })], [100, 99]);
});

Deno.test("on a horizontal slider all arrow keys, Page Up and Down, Home and End are steps", () => {
  const keys = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft", "PageUp", "PageDown"];
  assertEquals(keys.map((key) => stepsOf(key, 10)), [1, 1, -1, -1, 10, -10]);
  assertEquals(["Home", "End", "a"].map((key) => stepsOf(key, 10)), [
    -Infinity,
    Infinity,
    undefined,
  ]);
});
