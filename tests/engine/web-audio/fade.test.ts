import { assertEquals, assertLess } from "@std/assert";
import { dBOf } from "../../../fade/law.ts";
import { levelAt, planFade } from "../../../fade/plan.ts";
import { AHEAD_SECONDS } from "../../../engine/web-audio/engine.ts";
import { faderPosition } from "../../../engine/web-audio/ramp.ts";
import { BLOCK } from "../../../engine/web-audio/signal.ts";
import { RESERVE_SECONDS } from "../../../engine/web-audio/tick-grid.ts";
import { simulatedConsole } from "../../core/fades/simulated-console.ts";
import { set } from "../../../core/tree/set.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { change, type Cue, furthestStep, levelOf, part, RATE, rendered } from "./rendering.ts";

const FADER = "/audio/mixers/0/faders/0";
const HERTZ = 1000;
const wiring = { sources: { 1: { kind: "tone", frequency: HERTZ, level: 0 } } } as const;
const TICK = 0.02;

/** The ticks of a fade as a console makes them, each with its number. */
async function ticksOf(from: number, value: number, seconds: number) {
  const { console, changes, fade, time } = simulatedConsole();
  await console.dispatch(set(`${FADER}/fader`, from), DEVICE);
  const before = changes.length;
  const start = time.clock.monotonic();
  await fade({ value, seconds });
  time.runTo(start + seconds * 1000 + 100);
  return changes.slice(before).map(({ at, event: { patch } }) => ({
    tick: Math.round((at - start) / 20),
    patch,
  }));
}

/**
 * Renders a fade whose ticks come with the jitter of a network; returns the samples, and when its
 * first tick began to be played.
 */
async function renderedFade(from: number, to: number, seconds: number) {
  const ticks = await ticksOf(from, to, seconds);
  assertEquals(ticks.length, Math.round(seconds / TICK));
  let start = 0;
  const cues = ticks.map(({ patch, tick }, index): Cue => ({
    // The first tick has the largest delay, so that the grid follows it.
    at: 0.1 + tick * TICK - (index === 0 ? 0 : 3 + index * 7 % 6) * 0.001,
    act(engine, now) {
      if (index === 0) start = now + RESERVE_SECONDS;
      engine.apply(patch, tick);
    },
  }));
  const [left] = rendered({
    console: { mixers: [{ faders: 8 }] },
    set: { [`${FADER}/on`]: true, [`${FADER}/fader`]: from },
    wiring,
    seconds: seconds + 0.3,
    cues,
  });
  return { samples: left!, start };
}

/** The mean level of the law in a block of a fade, in dB, by the travel at each instant. */
function levelOfLaw(from: number, to: number, steps: number, block: number): number {
  const plan = planFade(from, to, 0, steps * TICK);
  const [begin, end] = [block, block + 1].map((step) => faderPosition(levelAt(plan, step)));
  const points = 1000;
  let power = 0;
  for (let point = 0; point < points; point++) {
    const travel = begin! + (end! - begin!) * (point + 0.5) / points;
    power += 10 ** (dBOf(travel) / 10) / points;
  }
  return 10 * Math.log10(power);
}

for (const [from, to] of [[0, -160], [-160, 0], [-60, 10], [-20, -21]] as const) {
  Deno.test(`during a fade of 2 s from ${from} to ${to} dB every block of 20 ms has the level of the law`, async () => {
    const { samples, start } = await renderedFade(from, to, 2);
    let furthest = 0;
    for (let block = 0; block < 100; block++) {
      const expected = levelOfLaw(from, to, 100, block);
      // Below that level a sample of a sound device is the same as silence.
      if (expected < -140) continue;
      const found = levelOf(part(samples, start + block * TICK, start + (block + 1) * TICK));
      furthest = Math.max(furthest, Math.abs(found - expected));
    }
    assertLess(furthest, 0.1);
  });

  Deno.test(`during a fade from ${from} to ${to} dB no two samples differ by more than those of the tone itself`, async () => {
    const { samples, start } = await renderedFade(from, to, 2);
    const step = 2 * Math.sin(Math.PI * HERTZ / 48_000);
    for (let block = 0; block < 100; block++) {
      const plan = planFade(from, to, 0, 2);
      const loudest = Math.max(levelAt(plan, block), levelAt(plan, block + 1));
      const played = part(samples, start + block * TICK, start + (block + 1) * TICK);
      // The next sample of the tone may be louder by the gain that the fade adds in one sample.
      assertLess(furthestStep(played), 10 ** (loudest / 20) * step * 1.001 + 1e-7);
    }
  });
}

Deno.test("a fade to -160 dB ends in silence: all samples are 0", async () => {
  const { samples, start } = await renderedFade(0, -160, 0.5);
  assertEquals(part(samples, start + 0.52, start + 0.6).every((sample) => sample === 0), true);
});

for (const early of [0.008, 0.005, 0.002, -0.005]) {
  Deno.test(`a set ${early * 1000} ms before a tick is played begins at the level of the fader at that moment`, async () => {
    const ticks = await ticksOf(-40, 0, 1);
    // All ticks but the first wait for their time.
    const cues = ticks.slice(0, 20).map(({ patch, tick }, index): Cue => ({
      at: 0.1 + tick * TICK - (index === 0 ? 0 : 0.012),
      act: (engine) => engine.apply(patch, tick),
    }));
    const last: Cue = {
      at: 0.1 + 20 * TICK - early,
      act: (engine) =>
        engine.apply({ audio: { mixers: { 0: { faders: { 0: { fader: -40 } } } } } }),
    };
    const [left] = rendered({
      console: { mixers: [{ faders: 8 }] },
      set: { [`${FADER}/on`]: true, [`${FADER}/fader`]: -40 },
      // A low frequency, so that a jump in the middle of a tick is far more than a step of it.
      wiring: { sources: { 1: { kind: "tone", frequency: 50, level: 0 } } },
      seconds: 1,
      cues: [...cues, last],
    });
    const loudest = 10 ** (levelAt(planFade(-40, 0, 0, 1), 20) / 20);
    assertLess(furthestStep(left!), loudest * 0.015);
    assertLess(Math.abs(levelOf(part(left!, 0.7, 1)) + 40), 0.01);
  });
}

Deno.test("a set that comes late, with a time before that of a tick that plays already, is heard without a click", () => {
  const to = (fader: number) => ({ audio: { mixers: { 0: { faders: { 0: { fader } } } } } });
  const [left] = rendered({
    console: { mixers: [{ faders: 8 }] },
    set: { [`${FADER}/on`]: true, [`${FADER}/fader`]: -160 },
    wiring: { sources: { 1: { kind: "tone", frequency: 50, level: 0 } } },
    seconds: 0.4,
    // The tick was to begin 1 ms before its cue, and the set 2.3 ms before the tick.
    cues: [
      { at: 0.1, act: (engine) => engine.apply(to(-10), 0) },
      { at: 0.1 + BLOCK / RATE, act: (engine) => engine.apply(to(-160)) },
      change(0.2, `${FADER}/fader`, -20),
    ],
    ahead: -0.006,
  });
  assertLess(furthestStep(left!), 0.002);
  assertLess(Math.abs(levelOf(part(left!, 0.3, 0.4)) + 20), 0.01);
});

Deno.test("a set is heard within a tick, and in force within two", () => {
  const session = {
    console: { mixers: [{ faders: 8 }] },
    set: { [`${FADER}/on`]: true, [`${FADER}/fader`]: -20 },
    wiring,
    seconds: 0.4,
    ahead: AHEAD_SECONDS,
  };
  const [before] = rendered(session);
  const [after] = rendered({ ...session, cues: [change(0.2, `${FADER}/fader`, 0)] });
  const heard = after!.findIndex((sample, index) => sample !== before![index]) / RATE;
  assertLess(heard - 0.2, TICK);
  assertLess(Math.abs(levelOf(part(after!, 0.2 + 2 * TICK, 0.4))), 0.01);
});

/** Does something; returns the length of the longest list that was filtered or cut meanwhile. */
function longestList(act: () => void): number {
  let longest = 0;
  const { filter, slice } = Array.prototype;
  const noted = <Method>(method: Method) =>
    function (this: unknown[], ...rest: unknown[]) {
      longest = Math.max(longest, this.length);
      return (method as typeof slice).apply(this, rest as [number]);
    } as Method;
  Array.prototype.filter = noted(filter);
  Array.prototype.slice = noted(slice);
  try {
    act();
  } finally {
    Object.assign(Array.prototype, { filter, slice });
  }
  return longest;
}

const LEADER = "/audio/mixers/0/faders/1";
const moving: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ["the leader of a fader at -160 dB", `${LEADER}/fader`, {
    [`${LEADER}/on`]: true,
    [`${LEADER}/vcagroup`]: 1,
    "/audio/mixers/0/faders/2/vcagroup": 1,
    "/audio/mixers/0/faders/2/on": true,
  }],
  ["the send of a fader that is off", `${FADER}/busparams/bus/1/gain`, {
    [`${FADER}/busparams/bus/1/on`]: true,
  }],
  ["the threshold of a compressor", `${FADER}/params/compressor/threshold`, {
    [`${FADER}/params/compressor/on`]: true,
  }],
];

for (const [moved, path, set] of moving) {
  Deno.test(`what ${moved} was before is forgotten, however often it changes`, () => {
    const cues = Array.from(
      { length: 500 },
      (_, index) => change(index * TICK, path, -1 - index % 20),
    );
    const longest = longestList(() =>
      rendered({
        console: { mixers: [{ faders: 3, buses: 1 }] },
        set,
        wiring,
        seconds: 500 * TICK,
        cues,
      })
    );
    assertLess(longest, 100);
  });
}
