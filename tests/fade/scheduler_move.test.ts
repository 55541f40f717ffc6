import { assertEquals, assertThrows } from "@std/assert";
import { levelAt, planFade } from "../../fade/plan.ts";
import { simulated } from "./simulated_scheduler.ts";

Deno.test("move may start a fade again that ended in this tick: it goes on from there", () => {
  const { time, ticks, scheduler, inMove } = simulated();
  const there = planFade(-40, 0, 0, 0.04);
  const back = planFade(0, -40, 40, 0.04);
  inMove((steps) => {
    if (!steps[0]?.last) return;
    inMove(() => {});
    assertEquals([scheduler.moving, scheduler.levelOf("a"), time.pending()], [0, undefined, 0]);
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

Deno.test("move may end, replace and set faders of the same tick; they stand at that tick's level", () => {
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
  assertEquals([scheduler.moving, time.pending()], [0, 0]);
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
