/** The input signals of the channels: repeatable, and each of its kind. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as fc from "fast-check";
import { toDecibels } from "../../../engine/meters/decibels.ts";
import { chance, drift } from "../../../engine/simulated/noise.ts";
import { signalAt } from "../../../engine/simulated/sources.ts";
import { CHANNEL, startDesk, TONE } from "./desk.ts";
import { demoConfiguration } from "../../../core/configuration/demo.ts";

/** The levels of a channel in a minute, every 40 ms, in dB. */
function minuteOf(channel: number, seed = 1): number[] {
  return Array.from({ length: 1500 }, (_, at) => {
    const { left, right } = signalAt(seed, channel, false, at * 0.04);
    return toDecibels(Math.max(left, right));
  });
}

Deno.test("the same seed gives the same levels; another seed gives other levels of the same kind", () => {
  for (const channel of [CHANNEL.voice, CHANNEL.music]) {
    assertEquals(minuteOf(channel), minuteOf(channel));
    assertNotEquals(minuteOf(channel, 2), minuteOf(channel));
  }
  assertNotEquals(minuteOf(2), minuteOf(1), "no two voices speak alike");
});

Deno.test("a voice has syllables up to -9 dBFS, and pauses", () => {
  const levels = minuteOf(CHANNEL.voice);
  assert(Math.max(...levels) <= -9 && Math.max(...levels) > -14);
  const pauses = levels.filter((level) => level < -60).length / levels.length;
  assert(pauses > 0.05 && pauses < 0.5, `${pauses}`);
});

Deno.test("music goes on without pauses, up to -6 dBFS", () => {
  const levels = minuteOf(CHANNEL.music);
  assert(Math.max(...levels) <= -6 && Math.max(...levels) > -12);
  assert(Math.min(...levels) > -30);
});

Deno.test("a tone has a constant level; silence, and a fader without a channel, have no level", () => {
  assertEquals(new Set(minuteOf(CHANNEL.tone).map(Math.round)), new Set([TONE]));
  assertEquals(new Set(minuteOf(CHANNEL.silence)), new Set([-125]));
  assertEquals(new Set(minuteOf(0)), new Set([-125]));
});

Deno.test("two consoles with the same seed show the same meters at the same times", async () => {
  const one = await startDesk(demoConfiguration);
  const other = await startDesk(demoConfiguration);
  const third = await startDesk(demoConfiguration, 2);
  for (const desk of [one, other, third]) {
    for (const id of [0, 3, 5, 7]) await desk.fader(id, { on: true, fader: -id });
    desk.pass(2);
    await desk.fader(3, { fader: -40 });
  }
  const shown = one.pass(3);
  assertEquals(other.pass(3), shown);
  assertNotEquals(third.pass(3), shown);
});

Deno.test("law: a signal has a valid level at any time, on any channel, with any seed", () => {
  const whole = fc.integer({ min: 0, max: 65_535 });
  const seconds = fc.double({ min: 0, max: 1e8, noNaN: true });
  fc.assert(fc.property(fc.integer(), whole, fc.boolean(), seconds, (seed, channel, alt, at) => {
    const { left, right, density, correlation } = signalAt(seed, channel, alt, at);
    for (const level of [left, right]) assert(level >= 0 && level <= 0.502, `${level}`);
    assert(density > 0 && density <= 1 && Math.abs(correlation) <= 1);
  }));
});

Deno.test("law: chance is within 0..1, and drift changes by at most 0.01 in 0.01 s", () => {
  const at = fc.double({ min: 0, max: 1e8, noNaN: true });
  fc.assert(fc.property(fc.integer(), fc.nat(), at, (seed, stream, at) => {
    const value = chance(seed, stream, Math.floor(at));
    assert(value >= 0 && value < 1);
    assert(Math.abs(drift(seed, stream, at) - drift(seed, stream, at + 0.01)) <= 0.0101);
  }));
});
