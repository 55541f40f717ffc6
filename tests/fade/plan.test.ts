import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { travelOf } from "../../fade/law.ts";
import { FADE_MAX, FADE_STEP, FADER_MAX, FADER_MIN } from "../../fade/limits.ts";
import { levelAt, planFade, stepAt } from "../../fade/plan.ts";
import { evenly } from "./evenly.ts";

const level = () => evenly(FADER_MIN, FADER_MAX);
const seconds = () => evenly(0, FADE_MAX);

Deno.test("the duration of a fade is 0..30 seconds, in steps of 0.020 s", () => {
  assertEquals([FADE_STEP, FADE_MAX], [0.020, 30]);
  const rows: [seconds: number, steps: number][] = [
    [0, 0],
    [0.009, 0],
    [0.011, 1],
    [0.020, 1],
    [0.029, 1],
    [0.031, 2],
    [0.06, 3],
    [1, 50],
    [29.995, 1500],
    [30, 1500],
  ];
  for (const [seconds, steps] of rows) {
    assertEquals(planFade(-20, 0, 0, seconds).steps, steps, `${seconds} s`);
  }
});

Deno.test("the duration is rounded to the nearest 0.020 s", () => {
  fc.assert(
    fc.property(
      seconds(),
      (time) => Math.abs(planFade(0, 1, 0, time).steps * FADE_STEP - time) <= FADE_STEP / 2 + 1e-12,
    ),
  );
});

Deno.test("the step that is due at a time is the last step whose time has come", () => {
  const plan = planFade(-160, 10, 100, 0.1);
  const rows: [time: number, k: number][] = [
    [99.999, -1],
    [100, 0],
    [119.999, 0],
    [120, 1],
    [199.999, 4],
    [200, 5],
    [1e6, 5],
  ];
  for (const [time, k] of rows) assertEquals(stepAt(plan, time), k, `${time} ms`);
  const longest = planFade(-160, 10, 7, FADE_MAX);
  assertEquals([stepAt(longest, 30_006.999), stepAt(longest, 30_007)], [1499, 1500]);
});

Deno.test("step 0 is the level at the start, the last step is exactly the target", () => {
  fc.assert(fc.property(level(), level(), seconds(), (from, to, time) => {
    const plan = planFade(from, to, 0, time);
    if (plan.steps > 0) assertEquals(levelAt(plan, 0), from);
    assertEquals(levelAt(plan, plan.steps), to);
    assertEquals(levelAt(plan, plan.steps + 1), to);
  }));
});

Deno.test("a fade is always fader-linear: the travel moves in equal steps", () => {
  fc.assert(fc.property(level(), level(), seconds(), (from, to, time) => {
    const plan = planFade(from, to, 0, time);
    const first = travelOf(from);
    const last = travelOf(to);
    for (let k = 1; k < plan.steps; k += 1 + k % 17) {
      const expected = first + (last - first) * k / plan.steps;
      assertAlmostEquals(travelOf(levelAt(plan, k)), expected, 1e-9);
    }
  }));
});

Deno.test("the level is monotone to the last bit, also over a range of a few bits", () => {
  const near = fc.tuple(level(), fc.double({ min: -1e-12, max: 1e-12, noNaN: true }))
    .map(([from, by]) => [from, Math.max(FADER_MIN, Math.min(FADER_MAX, from + by))] as const);
  const range = fc.oneof(fc.tuple(level(), level()), near);
  fc.assert(fc.property(range, seconds(), ([from, to], time) => {
    const plan = planFade(from, to, 0, time);
    let before = from;
    for (let k = 1; k <= plan.steps; k++) {
      const dB = levelAt(plan, k);
      assert(from <= to ? dB >= before : dB <= before, `step ${k}: ${dB} after ${before}`);
      before = dB;
    }
    return before === (plan.steps > 0 ? to : from);
  }));
});

Deno.test("a plan refuses values outside the ranges of the specification, and names parameter and value", () => {
  const rows: [from: number, to: number, seconds: number, message: string][] = [
    [-161, 0, 1, "from is -161, expected -160..10"],
    [NaN, 0, 1, "from is NaN, expected -160..10"],
    [0, 10.5, 1, "to is 10.5, expected -160..10"],
    [0, NaN, 1, "to is NaN, expected -160..10"],
    [0, 1, -0.001, "seconds is -0.001, expected 0..30"],
    [0, 1, 30.001, "seconds is 30.001, expected 0..30"],
    [0, 1, NaN, "seconds is NaN, expected 0..30"],
  ];
  for (const [from, to, seconds, message] of rows) {
    assertThrows(() => planFade(from, to, 0, seconds), RangeError, message);
  }
});
