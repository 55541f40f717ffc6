import { assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import type { Engine } from "../../../engine/web-audio/engine.ts";
import {
  at,
  change,
  furthestStep,
  levelOf,
  levelsAt,
  open,
  part,
  rendered,
  STEP,
  SWITCH,
  TONE,
} from "./rendering.ts";

const FADERS = "/audio/mixers/0/faders";
const console = { mixers: [{ faders: 4, mutegroups: 2 }] };
const wiring = { sources: { 1: TONE } };

Deno.test("on false silences a fader within 10 ms, below -120 dBFS, without a click", () => {
  const cues = [change(0.2, `${FADERS}/0/on`, false)];
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.5, cues });
  assertAlmostEquals(levelOf(part(left!, 0.1, 0.2)), 0, 0.01);
  assertLess(levelOf(part(left!, 0.2 + 0.0027 + 0.01, 0.5)), -120);
  assertLess(furthestStep(left!), STEP + SWITCH);
});

Deno.test("on true brings a fader to its level within 10 ms, without a click", () => {
  const set = { ...open(0), [`${FADERS}/0/on`]: false };
  const cues = [change(0.2, `${FADERS}/0/on`, true)];
  const [left] = rendered({ console, wiring, set, seconds: 0.5, cues });
  assertEquals(levelOf(part(left!, 0, 0.2)), -Infinity);
  assertAlmostEquals(levelOf(part(left!, 0.2127, 0.5)), 0, 0.01);
  assertLess(furthestStep(left!), STEP + SWITCH);
});

Deno.test("a switch that is reversed before it is complete does not click", () => {
  const cues = [0.2, 0.203, 0.206, 0.209, 0.212].map((at, index) =>
    change(at, `${FADERS}/0/on`, index % 2 === 1)
  );
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.4, cues });
  assertLess(furthestStep(left!), STEP + SWITCH);
  assertLess(levelOf(part(left!, 0.23, 0.4)), -120);
});

/** The level of each tone of a mix in dB; each fader has a tone of another frequency. */
function levelsOf(samples: Float32Array, frequencies: readonly number[]): number[] {
  return frequencies.map((frequency) => {
    let sine = 0;
    let cosine = 0;
    for (const [index, sample] of samples.entries()) {
      const angle = 2 * Math.PI * frequency * index / 48_000;
      sine += sample * Math.sin(angle);
      cosine += sample * Math.cos(angle);
    }
    return 20 * Math.log10(2 * Math.hypot(sine, cosine) / samples.length);
  });
}

Deno.test("a mute group silences exactly its members", () => {
  const frequencies = [500, 1000, 1500, 2000];
  const sources = Object.fromEntries(
    frequencies.map((frequency, index) => [index + 1, { ...TONE, frequency, level: -20 }]),
  );
  const set = Object.fromEntries(
    frequencies.flatMap((_, index) => [
      [`${FADERS}/${index}/on`, true],
      [`${FADERS}/${index}/fader`, 0],
      [`${FADERS}/${index}/mutegroups/0`, index === 1 || index === 2],
      [`${FADERS}/${index}/mutegroups/1`, index === 3],
    ]),
  );
  const cues = [
    change(0.2, "/audio/mixers/0/mutegroups/0", true),
    change(0.4, "/audio/mixers/0/mutegroups/0", false),
    change(0.6, `${FADERS}/0/mutegroups/1`, true),
    change(0.61, "/audio/mixers/0/mutegroups/1", true),
  ];
  const [left] = rendered({ console, wiring: { sources }, set, seconds: 0.8, cues });
  const heard = (from: number) =>
    levelsOf(part(left!, from, from + 0.1), frequencies)
      .map((dB) => dB < -120 ? "silent" : Math.round(dB * 10) / 10);
  assertEquals(heard(0.05), [-20, -20, -20, -20]);
  assertEquals(heard(0.25), [-20, "silent", "silent", -20]);
  assertEquals(heard(0.45), [-20, -20, -20, -20]);
  assertEquals(heard(0.65), ["silent", -20, -20, "silent"]);
});

Deno.test("the first fader of a VCA group leads the others", () => {
  const set = {
    ...open(0),
    [`${FADERS}/0/vcagroup`]: 3,
    [`${FADERS}/0/fader`]: -6,
    [`${FADERS}/1/on`]: true,
    [`${FADERS}/1/fader`]: -10,
    [`${FADERS}/1/vcagroup`]: 3,
  };
  const cues = [
    change(0.2, `${FADERS}/0/fader`, -20),
    change(0.4, `${FADERS}/0/on`, false),
    change(0.6, `${FADERS}/1/vcagroup`, 0),
  ];
  const wiring = { sources: { 2: TONE } };
  const [left] = rendered({ console, wiring, set, seconds: 0.8, cues });
  assertEquals(levelsAt(left!, 0.1, 0.3, 0.45, 0.7), [-16, -30, "silent", -10]);
});

Deno.test("the balance makes the far side quieter, and no side louder", () => {
  const cues = [0.5, 1, -1, 0].map((position, index) =>
    change(0.2 * (index + 1), `${FADERS}/0/params/panbal/panbal`, position)
  );
  const sides = rendered({ console, wiring, set: open(0), seconds: 1, cues });
  const heard = sides.map((side) => levelsAt(side, 0.1, 0.3, 0.5, 0.7, 0.9));
  assertEquals(heard, [[0, -6, "silent", 0, 0], [0, 0, 0, "silent", 0]]);
  for (const side of sides) assertLess(furthestStep(side), STEP + SWITCH);
});

Deno.test("digital gain, automatic gain and phase act before the fader", () => {
  const cues = [
    change(0.2, `${FADERS}/0/params/gain/dgain`, -15),
    change(0.25, `${FADERS}/0/autolevelgain`, 3),
    change(0.4, `${FADERS}/0/params/gain/phase`, true),
  ];
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.6, cues });
  assertEquals(levelsAt(left!, 0.3, 0.5), [-12, -12]);
  // 0.1 s are 100 periods.
  const before = part(left!, 0.3, 0.4);
  const after = part(left!, 0.5, 0.6);
  assertEquals(before.every((sample, index) => Math.abs(sample + after[index]!) < 1e-4), true);
});

Deno.test("another channel on a fader is heard without a click", () => {
  const sources = { 1: TONE, 2: { ...TONE, frequency: 2000, level: -20 } };
  const cues = [change(0.2, `${FADERS}/0/sourceid`, 2), change(0.4, `${FADERS}/0/sourceid`, 0)];
  const [left] = rendered({ console, wiring: { sources }, set: open(0), seconds: 0.6, cues });
  assertEquals(levelsAt(left!, 0.1, 0.3, 0.45), [0, -20, "silent"]);
  assertLess(furthestStep(left!), STEP + 2 * SWITCH);
});

Deno.test("when channels change faster than they fade, the last one is heard, without a click", () => {
  const sources = Object.fromEntries([1, 2, 3, 4].map((channel) => [channel, TONE]));
  const to = (channel: number) => at(`${FADERS}/0/sourceid`, channel);
  const cues = [
    change(0.2, `${FADERS}/0/sourceid`, 2),
    {
      at: 0.202,
      act(engine: Engine) {
        engine.apply(to(3));
        engine.apply(to(0));
        engine.apply(to(4));
      },
    },
  ];
  const wiring = { sources: { ...sources, 4: { ...TONE, level: -20 } } };
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.4, cues });
  assertAlmostEquals(levelOf(part(left!, 0.215, 0.4)), -20, 0.01);
  assertLess(furthestStep(left!), STEP + 2 * SWITCH);
});

Deno.test("a switch that comes later than it was to begin does not click", () => {
  const cues = [
    change(0.2, `${FADERS}/0/on`, false),
    change(0.4, `${FADERS}/0/on`, true),
    change(0.6, `${FADERS}/0/sourceid`, 0),
  ];
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.8, cues, ahead: -0.01 });
  assertLess(furthestStep(left!), STEP + SWITCH);
  assertEquals(levelsAt(left!, 0.25, 0.65), ["silent", "silent"]);
});
