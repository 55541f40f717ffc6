import { assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import { loadNumbered, saveNumbered } from "../../../core/snapshots/numbered.ts";
import { set } from "../../../core/tree/set.ts";
import { codeOf } from "../../core/actors.ts";
import { editor, simulatedConsole } from "../../core/fades/simulated-console.ts";
import { furthestStep, levelOf, part, rendered } from "./rendering.ts";

const MIXER = "/audio/mixers/0";
const HERTZ = 1000;

Deno.test("a snapshot loaded mid-tone changes levels without a click", async () => {
  const desk = simulatedConsole();
  const write = async (path: string, value: unknown) =>
    assertEquals(await codeOf(desk.console, set(`${MIXER}/${path}`, value as never), editor), 0);
  const snapshot = { type: 2, number: 1 } as const;
  await write("faders/0", { on: true, fader: -20 });
  await write("faders/0/params/eq2", { on: true, frequency: HERTZ, gain: -6 });
  await write("faders/1", { on: true, fader: 0 });
  await write("faders/2", { on: false, fader: 0 });
  const save = saveNumbered(snapshot, { mixer: 0 }, "Evening");
  assertEquals(await codeOf(desk.console, save, editor), 0);
  await write("faders/0", { fader: 0, params: { eq2: { on: false, gain: 0 } } });
  await write("faders/1", { on: false });
  await write("faders/2", { on: true });
  const before = desk.console.state.tree;
  const changes = desk.changes.length;
  assertEquals(await codeOf(desk.console, loadNumbered(snapshot, { mixer: 0 }), editor), 0);
  const patches = desk.changes.slice(changes).map(({ event }) => event.patch);

  const tone = (level: number) => ({ kind: "tone", frequency: HERTZ, level }) as const;
  const [left] = rendered({
    console: { mixers: [{ faders: 8 }, { faders: 8 }] },
    set: { "/audio": before.audio },
    wiring: { sources: { 1: tone(-10), 2: tone(-30), 3: tone(-10) } },
    seconds: 0.6,
    cues: [{ at: 0.3, act: (engine) => patches.forEach((patch) => engine.apply(patch)) }],
  });
  // The tones have the same phase, so their amplitudes add up: 2 * 0.316, then 0.0158 and 0.0316.
  assertAlmostEquals(levelOf(part(left!, 0.2, 0.3)), 20 * Math.log10(2 * 10 ** -0.5), 0.05);
  assertAlmostEquals(levelOf(part(left!, 0.4, 0.6)), 20 * Math.log10(10 ** -1.8 + 10 ** -1.5), 0.1);
  const tones = 2 * 10 ** -0.5;
  const itself = tones * 2 * Math.sin(Math.PI * HERTZ / 48_000);
  assertLess(furthestStep(left!), itself * 1.05);
});
