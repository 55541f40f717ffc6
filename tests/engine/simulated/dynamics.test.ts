/** `_gainreduction` of compressor, limiter and gate: their static curves. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { processed } from "../../../engine/simulated/dynamics.ts";
import type { Processing } from "../../../engine/simulated/parts.ts";
import { CHANNEL, mixerOf, startDesk, TONE } from "./desk.ts";

const path = (block: string) => `/audio/mixers/0/faders/0/params/${block}/_gainreduction`;

/** A block of a fader with the tone, and its gain reduction in dB. */
const blocks: readonly (readonly [string, object, number])[] = [
  ["compressor", { threshold: -24, ratio: 3 }, -4],
  ["compressor", { threshold: -18, ratio: 3 }, 0],
  ["compressor", { threshold: -24, ratio: 1 }, 0],
  ["compressor", { threshold: -28, ratio: 20, gain: 6 }, -9.5],
  ["limiter", { threshold: -30 }, -12],
  ["limiter", { threshold: -10 }, 0],
  ["gate", { threshold: -10, attenuation: 40 }, -40],
  ["gate", { threshold: -20, attenuation: 40 }, 0],
];

for (const [block, members, expected] of blocks) {
  Deno.test(`${block} with ${JSON.stringify(members)} reduces a tone of ${TONE} dBFS by ${expected} dB`, async () => {
    const desk = await startDesk({ mixers: mixerOf(CHANNEL.tone) });
    desk.pass(0.04);
    assertEquals(desk.at(path(block)), 0);
    await desk.fader(0, { params: { [block]: { on: true, ...members } } });
    desk.pass(0.04);
    assertEquals(desk.at(path(block)), expected);
    desk.pass(12);
    const { gain = 0 } = members as { gain?: number };
    assertEquals(
      desk.meter(0, "_pfl"),
      TONE + expected + gain,
      "the processing is before the fader",
    );
    await desk.fader(0, { bypass: true });
    desk.pass(0.04);
    assertEquals(desk.at(path(block)), 0, "bypassed it takes nothing");
  });
}

Deno.test("blocks act one after the other, in the order of the fader", async () => {
  const params = {
    compressor: { on: true, threshold: -28, ratio: 2 },
    limiter: { on: true, threshold: -20 },
  };
  const reductions = async (processing: ("compressor" | "limiter")[]) => {
    const faders = [{ channel: CHANNEL.tone, processing }];
    const desk = await startDesk({ mixers: [{ faders }] });
    await desk.fader(0, { params });
    desk.pass(0.04);
    return [desk.at(path("compressor")), desk.at(path("limiter"))];
  };
  assertEquals(await reductions(["compressor", "limiter"]), [-5, 0]);
  assertEquals(await reductions(["limiter", "compressor"]), [-4, -2]);
  assertEquals(await reductions(["compressor"]), [-5, undefined], "what it has not does nothing");
});

Deno.test("a flex processing acts on the sum of the mixer at its place", async () => {
  const desk = await startDesk({ mixers: mixerOf(CHANNEL.tone), processings: 1 });
  await desk.fader(0, { on: true, fader: 0 });
  await desk.set("/audio/flexprocessings/0/params/limiter", { on: true, threshold: -21 });
  desk.pass(0.04);
  assertEquals(desk.at("/audio/flexprocessings/0/params/limiter/_gainreduction"), -3);
});

Deno.test("law: a louder input never has a softer output, and no output is louder than its input", () => {
  const settings = fc.record({
    threshold: fc.double({ min: -80, max: 20, noNaN: true }),
    ratio: fc.double({ min: 1, max: 20, noNaN: true }),
    attenuation: fc.double({ min: 0, max: 80, noNaN: true }),
  });
  const level = fc.double({ min: -125, max: 40, noNaN: true });
  const name = fc.constantFrom("compressor", "limiter", "gate");
  fc.assert(fc.property(name, settings, level, level, (name, given, one, other) => {
    const block = { on: true, gain: 0, _gainreduction: 0, ...given };
    const processing = { params: { [name]: block } } as unknown as Processing;
    const low = Math.min(one, other);
    const high = Math.max(one, other);
    const after = (level: number) => level + processed(processing, [name], level).change;
    assert(after(low) <= after(high) + 1e-9);
    assert(after(high) <= high);
    if (name === "limiter") assert(after(high) <= given.threshold + 1e-9);
    if (name === "compressor" && high > given.threshold) {
      const expected = given.threshold + (high - given.threshold) / given.ratio;
      assertAlmostEquals(after(high), expected, 1e-9);
    }
  }));
});
