/** The meters of the sums of mixers: `audio/levels` by their mode, and `audio/loudness`. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { CHANNEL, mixerOf, startDesk, TONE } from "./desk.ts";

const OPEN = { on: true, fader: 0 };

const metered: WrittenConfiguration = {
  mixers: mixerOf(CHANNEL.tone, 18),
  levels: [{ id: 1, mode: "PPM" }, { id: 2, mode: "VU" }, { id: 3, mode: "TruePeak" }],
  loudness: [{ id: 4 }],
};

Deno.test("a tone reads its level on a meter of any mode, and is correlated", async () => {
  const desk = await startDesk(metered);
  await desk.fader(0, { ...OPEN, fader: -5 });
  desk.pass(3);
  for (const id of [1, 2, 3]) {
    const expected = { _left: TONE - 5, _right: TONE - 5, _correlation: 1 };
    assertEquals(desk.at(`/audio/levels/${id}`), expected);
  }
});

Deno.test("two signals of one level add up to 3 dB more", async () => {
  const desk = await startDesk(metered);
  for (const id of [0, 1]) await desk.fader(id, OPEN);
  desk.pass(1);
  assertEquals(desk.at("/audio/levels/1/_left"), Math.round((TONE + 3.0103) * 100) / 100);
});

Deno.test("loudness: M, S and I of a tone on both sides are its level, and so are their maxima", async () => {
  const desk = await startDesk(metered);
  await desk.fader(0, { ...OPEN, fader: -5 });
  desk.pass(10);
  const shown = desk.at("/audio/loudness/4") as Record<string, number>;
  for (const member of ["_levelm", "_levels", "_leveli", "_maxm", "_maxs", "_peak", "_maxpeak"]) {
    assertAlmostEquals(shown[member]!, -23, 0.01, member);
  }
  assertEquals(Object.keys(shown).length, 7);
  await desk.fader(0, { on: false });
  desk.pass(4);
  const after = desk.at("/audio/loudness/4") as Record<string, number>;
  assertEquals([after._levelm, after._levels], [-125, -125]);
  assertAlmostEquals(after._leveli!, -23, 0.1);
  assertAlmostEquals(after._maxs!, -23, 0.01);
  assertAlmostEquals(after._peak!, -23 - 4 * 20 / 1.7, 0.01);
  assertAlmostEquals(after._maxpeak!, -23, 0.01);
});

Deno.test("the first meter shows the first mixer, the second the second, and a third again the first", async () => {
  const [first] = mixerOf(CHANNEL.tone)!;
  const [second] = mixerOf(CHANNEL.silence)!;
  const desk = await startDesk({
    mixers: [{ ...first!, id: 3 }, { ...second!, id: 9 }],
    levels: [{ id: 7 }, { id: 8 }, { id: 9 }],
  });
  await desk.set("/audio/mixers/3/faders/0", OPEN);
  await desk.set("/audio/mixers/9/faders/0", OPEN);
  desk.pass(1);
  const shown = [7, 8, 9].map((id) => desk.at(`/audio/levels/${id}/_left`));
  assertEquals(shown, [TONE, -125, TONE]);
});

Deno.test("a console without mixers is silent", async () => {
  const desk = await startDesk({ levels: [{ id: 1 }], loudness: [{ id: 1 }], processings: 1 });
  desk.pass(1);
  assertEquals(desk.at("/audio/levels/1/_left"), -125);
  assertEquals(desk.at("/audio/loudness/1/_leveli"), -125);
});
