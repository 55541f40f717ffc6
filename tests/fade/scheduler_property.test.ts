import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { FADE_STEP, FADER_MAX, FADER_MIN } from "../../fade/limits.ts";
import { levelAt, type Plan, planFade, STEP_MS } from "../../fade/plan.ts";
import { createScheduler } from "../../fade/scheduler.ts";
import { evenly } from "./evenly.ts";
import { simulatedTime } from "./simulated_time.ts";

const keys = 5;
const maxLateness = 400;

/** One action of a client, some time after the action before, and the delay of the event loop. */
const action = fc.record({
  after: evenly(0, 300),
  held: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, {
    weight: 1,
    arbitrary: evenly(0, 200),
  }),
  key: fc.nat(keys - 1),
  to: evenly(FADER_MIN, FADER_MAX),
  seconds: fc.oneof(
    { weight: 9, arbitrary: evenly(0, 1) },
    { weight: 1, arbitrary: evenly(0, 30) },
  ),
  end: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const stalls = fc.infiniteStream(fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: evenly(0, 25) },
  { weight: 1, arbitrary: evenly(0, maxLateness) },
  { weight: 1, arbitrary: evenly(-2, 0) },
));

/** The expected course of a fade, computed here only from the time and parameters of its start. */
interface Expected {
  readonly plan: Plan;
  readonly asked: number;
  /** The time of the last tick that moved it, in ms; its level then, in dB. */
  point: number;
  dB: number;
}

Deno.test("with random stalls every level is on the line of the plan, none turns back, and the end is exact and never early", () => {
  const start = evenly(0, 1e7);
  fc.assert(
    fc.property(
      start,
      fc.array(action, { maxLength: 40, size: "max" }),
      stalls,
      (origin, actions, lateness) => {
        simulate(origin, actions, () => lateness.next().value);
      },
    ),
    { numRuns: 100 },
  );
});

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

function simulate(begin: number, actions: Action[], lateness: () => number): void {
  const time = simulatedTime(begin);
  const now = time.clock.monotonic;
  const levels = new Array<number>(keys).fill(-20);
  const expected = new Map<number, Expected>();
  let origin = 0;
  let asking = false;
  let lastPoint = -1;

  const scheduler = createScheduler<number>({
    timer: time.timer,
    move(steps) {
      if (asking) return;
      const point = origin + Math.floor((now() - origin) / STEP_MS) * STEP_MS;
      assert(point > lastPoint, "two ticks at one point");
      lastPoint = point;
      assertEquals(new Set(steps.map(({ key }) => key)).size, steps.length);
      for (const { key, dB, last } of steps) {
        const fade = expected.get(key);
        if (fade === undefined) throw new Error(`fader ${key} moved without a fade`);
        const { plan, asked } = fade;
        const k = Math.round((point - plan.start) / STEP_MS);
        assert(k >= 0, "before its start");
        assertEquals(dB, levelAt(plan, k), "off the line");
        assert(point > fade.point, "a step twice");
        // A fade that was replaced may still have moved up to the level where this one starts.
        if (fade.point >= plan.start) {
          assert(plan.from <= plan.to ? dB >= fade.dB : dB <= fade.dB, "turned back");
        }
        assertEquals(last, k >= plan.steps);
        if (last) {
          assertEquals(dB, plan.to);
          const end = asked + plan.steps * STEP_MS;
          assert(now() >= end, `ended ${end - now()} ms before its time`);
          expected.delete(key);
        }
        fade.point = point;
        fade.dB = dB;
        levels[key] = dB;
      }
    },
  });

  function ask({ key, to, seconds, end }: Action): void {
    const from = levels[key] ?? NaN;
    const running = expected.get(key);
    assertEquals(scheduler.levelOf(key), running && from);
    if (end) {
      scheduler.end(key);
      expected.delete(key);
      return;
    }
    if (expected.size === 0) {
      origin = Math.ceil(now());
      lastPoint = -1;
    }
    let point = origin;
    while (point < now()) point += STEP_MS;
    scheduler.start(key, from, to, seconds);
    const at = running &&
      levelAt(running.plan, Math.round((point - running.plan.start) / STEP_MS));
    const plan = planFade(at ?? from, to, point, seconds);
    if (plan.steps === 0) {
      expected.delete(key);
      levels[key] = to;
    } else expected.set(key, { plan, asked: now(), point: running?.point ?? -1, dB: from });
  }

  for (const next of actions) {
    time.runTo(now() + next.after, lateness);
    time.hold(next.held);
    asking = true;
    ask(next);
    asking = false;
    assertEquals(scheduler.keys().length, expected.size);
    assertEquals(time.pending(), expected.size > 0 ? 1 : 0);
  }
  time.runTo(now() + 31_000, lateness);
  assertEquals([scheduler.keys().length, expected.size, time.pending()], [0, 0, 0]);
}

Deno.test("every fade ends within its duration, one step and the lateness of the timer", () => {
  const fade = fc.record({
    after: evenly(0, 100),
    seconds: evenly(0.02, 2),
  });
  fc.assert(
    fc.property(fc.array(fade, { size: "max", maxLength: 40 }), stalls, (fades, lateness) => {
      const time = simulatedTime();
      const late = () => lateness.next().value;
      const due: number[] = [];
      const scheduler = createScheduler<number>({
        timer: time.timer,
        move(steps) {
          for (const { key, last } of steps) {
            const over = time.clock.monotonic() - (due[key] ?? NaN);
            if (last) assert(over >= 0 && over < STEP_MS + 1 + maxLateness, `${over} ms over`);
          }
        },
      });
      for (const [key, { after, seconds }] of fades.entries()) {
        time.runTo(time.clock.monotonic() + after, late);
        due[key] = time.clock.monotonic() + Math.round(seconds / FADE_STEP) * STEP_MS;
        scheduler.start(key, -60, 0, seconds);
      }
      time.runTo(time.clock.monotonic() + 3000, late);
      assertEquals(scheduler.keys().length, 0);
    }),
  );
});
