import { assertEquals, assertLess } from "@std/assert";
import {
  change,
  furthestStep,
  HERTZ,
  levelOf,
  levelsAt,
  open,
  part,
  rendered,
  STEP,
  TONE,
} from "./rendering.ts";

const MIXER = "/audio/mixers/0";
const FADERS = `${MIXER}/faders`;
const tone = { ...TONE, level: -6 };
const console = { mixers: [{ faders: 4, cleanfeeds: 2 }] };

Deno.test("PFL carries the signal before the fader, at any level of the fader", () => {
  const cues = [
    change(0.2, `${FADERS}/0/pfl1`, true),
    change(0.4, `${FADERS}/0/fader`, 0),
    change(0.6, `${FADERS}/0/pfl1`, false),
  ];
  const [bus, sum] = rendered({
    console,
    wiring: { sources: { 1: tone }, outputs: { "pfl1/0": [0, 2], "mixer/0": [1, 3] } },
    set: { [`${FADERS}/0/on`]: true },
    channels: 4,
    seconds: 0.8,
    cues,
  });
  assertEquals(levelsAt(bus!, 0.1, 0.3, 0.5, 0.7), ["silent", -6, -6, "silent"]);
  assertEquals(levelsAt(sum!, 0.1, 0.3, 0.5), ["silent", "silent", -6]);
  assertLess(furthestStep(bus!), STEP);
});

Deno.test("a PFL bus with afl carries the signal after the fader, with aflwhenon while it is on", () => {
  const cues = [
    change(0.2, `${MIXER}/options/pfl2/afl`, true),
    change(0.4, `${MIXER}/options/pfl2`, { afl: false, aflwhenon: true }),
    change(0.6, `${FADERS}/0/on`, false),
  ];
  const [bus] = rendered({
    console,
    wiring: { sources: { 1: tone }, outputs: { "pfl2/0": [0, 1] } },
    set: { ...open(0), [`${FADERS}/0/fader`]: -20, [`${FADERS}/0/pfl2`]: true },
    seconds: 0.8,
    cues,
  });
  assertEquals(levelsAt(bus!, 0.1, 0.3, 0.5, 0.7), [-6, -26, -26, -6]);
  assertLess(furthestStep(bus!), STEP);
});

Deno.test("a bus carries the signal after each fader that sends to it, with the gain of that fader", () => {
  const send = `${FADERS}/0/busparams/bus/2`;
  const cues = [
    change(0.2, send, { on: true, gain: 0 }),
    change(0.4, `${send}/gain`, -10),
    change(0.6, `${FADERS}/0/fader`, -20),
    change(0.8, `${send}/on`, false),
  ];
  const [bus, other] = rendered({
    console: { mixers: [{ faders: 4, buses: [1, 2] }] },
    wiring: { sources: { 1: tone }, outputs: { "bus/0/2": [0, 2], "bus/0/1": [1, 3] } },
    set: open(0),
    channels: 4,
    seconds: 1,
    cues,
  });
  assertEquals(levelsAt(bus!, 0.1, 0.3, 0.5, 0.7, 0.9), ["silent", -6, -16, -36, "silent"]);
  assertEquals(other!.every((sample) => sample === 0), true);
  assertLess(furthestStep(bus!), STEP);
});

Deno.test("a cleanfeed lacks exactly its own source", () => {
  const noise = (seed: number) => ({ kind: "noise", level: -20, seed }) as const;
  const sources = { 1: noise(1), 2: noise(2), 3: noise(3), 4: noise(4) };
  const session = {
    console,
    wiring: { sources, outputs: { "cleanfeed/0/1": [0, 1], "mixer/0": [2, 3] } },
    channels: 4,
    seconds: 0.3,
  } as const;
  const set = { ...open(0, 1, 2, 3), [`${MIXER}/cleanfeeds/1/srcsel`]: 2 };
  const [feed] = rendered({ ...session, set });
  const [, , others] = rendered({ ...session, set: open(0, 2, 3) });
  // At its begin the graph fades in from silence.
  assertEquals(part(feed!, 0.01, 0.3), part(others!, 0.01, 0.3));
  assertLess(-35, levelOf(part(feed!, 0.1, 0.3)));
});

Deno.test("a cleanfeed with the number 0 leaves out no fader that has none", () => {
  const [feed] = rendered({
    console: { mixers: [{ faders: 2, cleanfeeds: [0, 1] }] },
    wiring: { sources: { 1: tone }, outputs: { "cleanfeed/0/0": [0, 1] } },
    set: open(0),
    seconds: 0.3,
  });
  assertEquals(levelsAt(feed!, 0.1), [-6]);
});

Deno.test("a cleanfeed of a mixer with only its own source is silent", () => {
  const [feed] = rendered({
    console,
    wiring: { sources: { 2: tone }, outputs: { "cleanfeed/0/1": [0, 1] } },
    set: { ...open(1), [`${MIXER}/cleanfeeds/1/srcsel`]: 2 },
    seconds: 0.2,
  });
  assertEquals(feed!.every((sample) => sample === 0), true);
});

Deno.test("cut silences a cleanfeed, outgain is its gain, and n adds its own source, without a click", () => {
  const feed = `${MIXER}/cleanfeeds/1`;
  const cues = [
    change(0.2, `${feed}/n`, true),
    change(0.4, `${feed}/outgain`, -10),
    change(0.6, `${feed}/cut`, true),
    change(0.8, feed, { cut: false, n: false, outgain: 0 }),
  ];
  const [heard] = rendered({
    console,
    wiring: { sources: { 2: tone }, outputs: { "cleanfeed/0/1": [0, 1] } },
    set: { ...open(1), [`${feed}/srcsel`]: 2 },
    seconds: 1,
    cues,
  });
  const levels = levelsAt(heard!, 0.1, 0.3, 0.5, 0.7, 0.9);
  assertEquals(levels, ["silent", -6, -16, "silent", "silent"]);
  assertLess(furthestStep(heard!), STEP);
});

Deno.test("an output plays the input that is routed to it, and is silent without one", () => {
  const cues = [
    change(0.2, "/audio/routing/routes/7", "2"),
    change(0.4, "/audio/routing/routes/7", ""),
  ];
  const [left] = rendered({
    console: {
      mixers: [{ faders: 1 }, { faders: 1 }],
      routing: { inputs: [{ id: 1 }, { id: 2 }], outputs: [{ id: 7, input: 1 }] },
    },
    wiring: { sources: { 1: tone } },
    set: open(0),
    seconds: 0.6,
    cues,
  });
  assertEquals(levelsAt(left!, 0.1, 0.3, 0.5), [-6, "silent", "silent"]);
  assertLess(furthestStep(left!), STEP);
});

Deno.test("digital gain, phase and balance of a flex processing act like those of a fader", () => {
  const params = "/audio/flexprocessings/3/params";
  const cues = [
    change(0.2, `${params}/gain/dgain`, -10),
    change(0.4, `${params}/panbal/panbal`, 1),
    change(0.6, `${params}/gain/phase`, true),
  ];
  const sides = rendered({
    console: { mixers: [{ faders: 1 }], processings: [{ id: 3 }] },
    wiring: { sources: { 1: tone }, outputs: { "processing/3": [0, 1] } },
    set: { ...open(0), [`${params}/eq1`]: { on: true, gain: 0 } },
    seconds: 0.8,
    cues,
  });
  const heard = sides.map((side) => levelsAt(side, 0.1, 0.3, 0.5, 0.7));
  assertEquals(heard, [[-6, -16, "silent", "silent"], [-6, -16, -16, -16]]);
  for (const side of sides) assertLess(furthestStep(side), STEP);
  // 0.2 s are 200 periods.
  const before = part(sides[1]!, 0.5, 0.6);
  const after = part(sides[1]!, 0.7, 0.8);
  assertEquals(before.every((sample, index) => Math.abs(sample + after[index]!) < 1e-4), true);
});

Deno.test("a flex processing processes a mixer, and its blocks are switched without a click", () => {
  const params = "/audio/flexprocessings/3/params";
  const cues = [
    change(0.2, `${params}/eq1`, { on: true, frequency: HERTZ, gain: -12 }),
    change(0.4, `${params}/eq1/on`, false),
  ];
  const [left] = rendered({
    console: {
      mixers: [{ faders: 1 }],
      processings: [{ id: 3 }],
      routing: { inputs: [{ id: 1 }], outputs: [{ id: 1, input: 1 }] },
    },
    wiring: { sources: { 1: tone } },
    set: open(0),
    seconds: 0.6,
    cues,
  });
  assertEquals(levelsAt(left!, 0.1, 0.3, 0.5), [-6, -18, -6]);
  assertLess(furthestStep(left!), STEP);
});

const heardFirst = {
  "first output of the routing": { inputs: [{ id: 1 }], outputs: [{ id: 1, input: 1 }] },
  "first mixer without routing": {},
};

for (const [what, routing] of Object.entries(heardFirst)) {
  Deno.test(`a sound device with one channel plays the mean of both sides of the ${what}`, () => {
    const [sound] = rendered({
      console: { mixers: [{ faders: 1 }, { faders: 1 }], routing },
      wiring: { sources: { 1: tone } },
      set: open(0),
      channels: 1,
      seconds: 0.3,
    });
    assertEquals(levelsAt(sound!, 0.1, 0.2), [-6, -6]);
  });
}
