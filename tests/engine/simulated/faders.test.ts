/** The level of a tone on its way through a fader, exact to 0.01 dB. */
import { assertEquals } from "@std/assert";
import { CHANNEL, type Desk, mixerOf, startDesk, TONE } from "./desk.ts";

const { tone, silence } = CHANNEL;
const OPEN = { on: true, fader: 0 };
const OFF = -125;

/** Values of a fader with a tone; the levels at its input, before and after the fader, in dB. */
const settings: readonly (readonly [string, object, readonly [number, number, number]])[] = [
  ["open", OPEN, [TONE, TONE, TONE]],
  ["at -12.5 dB", { ...OPEN, fader: -12.5 }, [TONE, TONE, TONE - 12.5]],
  ["at +10 dB", { ...OPEN, fader: 10 }, [TONE, TONE, TONE + 10]],
  ["closed", { ...OPEN, fader: -160 }, [TONE, TONE, OFF]],
  ["off", { ...OPEN, on: false }, [TONE, TONE, OFF]],
  ["with gain", gain({ again: { value: 30 } }), [TONE + 30, TONE + 30, TONE + 30]],
  ["with digital gain", gain({ dgain: -7.3 }), [TONE - 7.3, TONE - 7.3, TONE - 7.3]],
  ["with both", gain({ again: { value: 20 }, dgain: -4 }), [TONE + 16, TONE + 16, TONE + 16]],
  ["on a silent channel", { ...OPEN, sourceid: silence }, [OFF, OFF, OFF]],
  ["with PFL", { ...OPEN, on: false, pfl1: true }, [TONE, TONE, OFF]],
  ["without a channel", { ...OPEN, sourceid: 0 }, [OFF, OFF, OFF]],
];

function gain(members: object) {
  return { ...OPEN, params: { gain: members } };
}

function shown(desk: Desk, id: number) {
  return (["_input", "_pfl", "_afl"] as const).map((which) => desk.meter(id, which));
}

for (const [what, members, expected] of settings) {
  Deno.test(`a tone on a fader ${what} reads ${expected.join(", ")} dB`, async () => {
    const desk = await startDesk({ mixers: mixerOf(tone, silence) });
    await desk.fader(0, members);
    desk.pass(1);
    assertEquals(shown(desk, 0), [...expected]);
    assertEquals(shown(desk, 1), [OFF, OFF, OFF]);
  });
}

Deno.test("altinput selects another signal than the input", async () => {
  const desk = await startDesk({ mixers: mixerOf(4) });
  desk.pass(1);
  const voice = desk.meter(0, "_input");
  await desk.fader(0, { altinput: true });
  desk.pass(20);
  // The alternative input of channel 4 has the signal of channel 8: the tone.
  assertEquals([voice === TONE, desk.meter(0, "_input")], [false, TONE]);
});

Deno.test("mute groups silence their members, and a VCA group follows its first fader", async () => {
  const desk = await startDesk({ mixers: mixerOf(tone, 18, 28, 38) });
  for (const [id, vcagroup] of [0, 3, 3, 4].entries()) {
    await desk.fader(id, { ...OPEN, fader: -5, vcagroup, mutegroups: { 0: id === 3 } });
  }
  const levels = () => {
    desk.pass(12);
    return [0, 1, 2, 3].map((id) => desk.meter(id, "_afl"));
  };
  assertEquals(levels(), [TONE - 5, TONE - 5, TONE - 10, TONE - 5]);
  await desk.fader(1, { fader: -20 });
  await desk.set("/audio/mixers/0/mutegroups/0", true);
  assertEquals(levels(), [TONE - 5, TONE - 20, TONE - 25, OFF]);
  assertEquals(desk.meter(3, "_pfl"), TONE, "before the fader it is heard all the same");
  await desk.fader(1, { on: false });
  await desk.set("/audio/mixers/0/mutegroups/0", false);
  assertEquals(levels(), [TONE - 5, OFF, OFF, TONE - 5]);
});

/** A panorama, and the levels of both sides after the fader, in dB. */
const panoramas = [[0, TONE, TONE], [-1, TONE, OFF], [1, OFF, TONE], [0.5, TONE - 6.02, TONE]];

Deno.test("panorama makes the far side quieter, only in the meter after the fader", async () => {
  for (const [panbal, ...sides] of panoramas) {
    const desk = await startDesk({ mixers: mixerOf(tone) });
    await desk.fader(0, { ...OPEN, params: { panbal: { panbal } } });
    desk.pass(1);
    assertEquals(desk.at("/audio/mixers/0/faders/0/meter/_afl"), sides);
    assertEquals(desk.at("/audio/mixers/0/faders/0/meter/_pfl"), [TONE, TONE]);
  }
});

Deno.test("a meter falls by 20 dB in 1.7 s when its fader is closed", async () => {
  const desk = await startDesk({ mixers: mixerOf(tone) });
  await desk.fader(0, OPEN);
  desk.pass(1);
  await desk.fader(0, { on: false });
  desk.pass(1.68);
  assertEquals(desk.meter(0, "_afl"), Math.round((TONE - 1.68 * 20 / 1.7) * 100) / 100);
});
