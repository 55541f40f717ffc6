import { assert, assertEquals, assertThrows } from "@std/assert";
import { FADE_MAX } from "../../fade/limits.ts";
import { levelAt, planFade } from "../../fade/plan.ts";
import { simulated } from "./simulated_scheduler.ts";

Deno.test("a single fade starts at once, step k comes at start + k * 20 ms, the last step is the target", () => {
  const { time, ticks, scheduler } = simulated({ start: 1000 });
  const plan = planFade(-20, 0, 1000, 0.06);
  scheduler.start("a", -20, 0, 0.06);
  time.runTo(5000);
  assertEquals(ticks, [
    { at: 1020, steps: [{ key: "a", dB: levelAt(plan, 1), last: false }] },
    { at: 1040, steps: [{ key: "a", dB: levelAt(plan, 2), last: false }] },
    { at: 1060, steps: [{ key: "a", dB: 0, last: true }] },
  ]);
});

Deno.test("after 30 s and 1,500 late wake-ups the last step is due at exactly 30.000 s", () => {
  const { time, ticks, scheduler } = simulated({ start: 7 });
  scheduler.start("a", -160, 10, FADE_MAX);
  time.runTo(40_000, () => 3.7);
  assertEquals(ticks.length, 1500);
  assertEquals(time.asked, Array.from({ length: 1500 }, (_, i) => 7 + (i + 1) * 20));
  assertEquals(ticks.at(-1), { at: 30_010.7, steps: [{ key: "a", dB: 10, last: true }] });
});

Deno.test("one tick makes one call for all moving faders, whatever the starts of their fades", () => {
  const { time, ticks, scheduler } = simulated();
  const keys = ["a", "b", "c", "d"];
  for (const [i, key] of keys.entries()) {
    time.runTo(i * 3);
    scheduler.start(key, -10, 0, 0.1);
  }
  time.runTo(1000);
  assertEquals(ticks.map(({ at, steps }) => [at, steps.map(({ key }) => key).join("")]), [
    [20, "a"],
    [40, "abcd"],
    [60, "abcd"],
    [80, "abcd"],
    [100, "abcd"],
    [120, "bcd"],
  ]);
});

Deno.test("an early wake-up makes no step before its time, and waits for the same tick again", () => {
  const { time, ticks, scheduler } = simulated();
  scheduler.start("a", -40, 0, 0.06);
  const lateness = [-1, -0.25, 0, 0, -0.5, 0];
  time.runTo(1000, () => lateness.shift() ?? 0);
  assertEquals(ticks.map(({ at }) => at), [20, 40, 60]);
  assertEquals(time.asked, [20, 20, 20, 40, 60, 60]);
});

Deno.test("a fader whose fade is replaced every 7 ms still moves at every tick", () => {
  const { time, ticks, scheduler } = simulated();
  for (let at = 0; at < 700; at += 7) {
    time.runTo(at);
    scheduler.start("a", -40, 0, 1);
  }
  const levels = ticks.map(({ steps }) => steps[0]?.dB ?? NaN);
  assertEquals(levels.length, 34);
  for (const [i, dB] of levels.entries()) assert(dB > (levels[i - 1] ?? -40), `tick ${i}: ${dB}`);
});

Deno.test("a fade to the present level moves nothing, and ends at its time", () => {
  const { time, ticks, scheduler } = simulated();
  scheduler.start("a", -12, -12, 0.5);
  time.runTo(1000);
  assertEquals(ticks, [{ at: 500, steps: [{ key: "a", dB: -12, last: true }] }]);
});

Deno.test("values outside their range are refused and change nothing, also during a running fade", () => {
  const { time, ticks, scheduler } = simulated();
  scheduler.start("a", -40, 0, 0.1);
  const rows: [key: string, from: number, to: number, seconds: number][] = [
    ["a", -40, 11, 1],
    ["a", -40, NaN, 0],
    ["a", -40, 0, 31],
    ["b", -161, 0, 1],
    ["b", 0, 0, -1],
  ];
  for (const [key, from, to, seconds] of rows) {
    assertThrows(() => scheduler.start(key, from, to, seconds), RangeError);
  }
  assertEquals(scheduler.keys(), ["a"]);
  time.runTo(1000);
  assertEquals(ticks.length, 5);
  assertEquals(ticks.at(-1), { at: 100, steps: [{ key: "a", dB: 0, last: true }] });
});

Deno.test("a duration of 0 sets the level at once, and ends a running fade", () => {
  for (const seconds of [0, 0.009]) {
    const { time, ticks, scheduler } = simulated();
    scheduler.start("a", -40, 0, 1);
    time.runTo(50);
    scheduler.start("a", -40, -7, seconds);
    assertEquals(ticks.at(-1), { at: 50, steps: [{ key: "a", dB: -7, last: true }] });
    assertEquals([scheduler.keys(), time.pending()], [[], 0]);
  }
});

Deno.test("move may start a new fade of a fader whose fade ended in this tick: it begins at that level", () => {
  const { time, ticks, scheduler, inMove } = simulated();
  const there = planFade(-40, 0, 0, 0.04);
  const back = planFade(0, -40, 40, 0.04);
  inMove((steps) => {
    if (!steps[0]?.last) return;
    inMove(() => {});
    assertEquals([scheduler.keys(), time.pending()], [[], 0]);
    scheduler.start("a", 0, -40, 0.04);
  });
  scheduler.start("a", -40, 0, 0.04);
  time.runTo(1000);
  assertEquals(ticks.map(({ at, steps }) => [at, steps[0]?.dB, steps[0]?.last]), [
    [20, levelAt(there, 1), false],
    [40, 0, true],
    [60, levelAt(back, 1), false],
    [80, -40, true],
  ]);
});

Deno.test("move may end and replace fades and set faders of the same tick; they begin at the level of that tick", () => {
  const { time, ticks, scheduler, inMove } = simulated();
  for (const key of ["ended", "replaced", "set", "other"]) scheduler.start(key, -40, 0, 0.06);
  const first = levelAt(planFade(-40, 0, 0, 0.06), 1);
  inMove(() => {
    inMove(() => {});
    assertEquals(scheduler.levelOf("replaced"), first);
    scheduler.end("ended");
    scheduler.start("replaced", -40, -60, 0.04);
    scheduler.start("set", -40, -5, 0);
    scheduler.start("new", -10, 0, 0.04);
    assertEquals(time.pending(), 1);
  });
  time.runTo(1000);
  const back = planFade(first, -60, 20, 0.04);
  const other = levelAt(planFade(-40, 0, 0, 0.06), 2);
  assertEquals(ticks.map(({ at }) => at), [20, 20, 40, 60]);
  assertEquals(ticks.slice(1).map(({ steps }) => steps), [
    [{ key: "set", dB: -5, last: true }],
    [
      { key: "replaced", dB: levelAt(back, 1), last: false },
      { key: "other", dB: other, last: false },
      { key: "new", dB: levelAt(planFade(-10, 0, 20, 0.04), 1), last: false },
    ],
    [
      { key: "replaced", dB: -60, last: true },
      { key: "other", dB: 0, last: true },
      { key: "new", dB: 0, last: true },
    ],
  ]);
});

Deno.test("move may end every fade: no timer is left", () => {
  const { time, scheduler, inMove } = simulated();
  inMove(() => scheduler.keys().forEach(scheduler.end));
  scheduler.start("a", -40, 0, 1);
  scheduler.start("b", -40, 0, 1);
  time.runTo(20);
  assertEquals([scheduler.keys(), time.pending()], [[], 0]);
});

Deno.test("a fault in move stops no fade", () => {
  const { time, ticks, scheduler, inMove } = simulated();
  inMove(() => {
    inMove(() => {});
    throw new Error("not taken");
  });
  scheduler.start("a", -40, 0, 0.06);
  assertThrows(() => time.runTo(20), Error, "not taken");
  time.runTo(1000);
  assertEquals(ticks.map(({ at }) => at), [20, 40, 60]);
});
