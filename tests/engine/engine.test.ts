import { assertAlmostEquals, assertEquals, assertLess, assertThrows } from "@std/assert";
import { OfflineAudioContext } from "../../engine/deno/web-audio.ts";
import { createEngine } from "../../engine/engine.ts";
import { at, change, furthestStep, levelOf, part, rendered, treeOf } from "./rendering.ts";

const FADER = "/audio/mixers/0/faders/0";
const HERTZ = 1000;
const STEP = 2 * Math.sin(Math.PI * HERTZ / 48_000);
const tone = { kind: "tone", frequency: HERTZ, level: 0 } as const;
const open = { [`${FADER}/on`]: true, [`${FADER}/fader`]: 0 };
const console = { mixers: [{ faders: 2 }] };
const wiring = { sources: { 1: tone } };

Deno.test("until it has the state an engine is silent, whatever changes", async () => {
  const context = new OfflineAudioContext(2, 24_000, 48_000) as unknown as BaseAudioContext;
  const engine = createEngine(context, wiring, 0);
  engine.apply(at(FADER, { on: true, fader: 0 }));
  engine.apply(at(`${FADER}/fader`, 10), 4711);
  assertEquals(engine.meters(), undefined);
  const buffer = await (context as globalThis.OfflineAudioContext).startRendering();
  assertEquals(buffer.getChannelData(0).every((sample) => sample === 0), true);
});

Deno.test("an engine that gets the state fades in", async () => {
  const [left] = await rendered({ console, wiring, set: open, seconds: 0.1 });
  assertAlmostEquals(levelOf(part(left!, 0.05, 0.1)), 0, 0.01);
  assertLess(furthestStep(left!), STEP + 1 / 240);
});

Deno.test("the state again, as after a lost connection, changes what was missed, without a click", async () => {
  const cues = [
    { at: 0.2, act: (engine) => engine.whole(treeOf({ console, set: open })) },
    {
      at: 0.4,
      act: (engine) => engine.whole(treeOf({ console, set: { ...open, [`${FADER}/fader`]: -20 } })),
    },
    change(0.6, `${FADER}/fader`, -10),
  ] satisfies Parameters<typeof rendered>[0]["cues"];
  const [left] = await rendered({ console, wiring, set: open, seconds: 0.8, cues });
  const untouched = await rendered({ console, wiring, set: open, seconds: 0.4 });
  assertEquals(part(left!, 0, 0.4), part(untouched[0]!, 0, 0.4));
  assertAlmostEquals(levelOf(part(left!, 0.5, 0.6)), -20, 0.01);
  assertAlmostEquals(levelOf(part(left!, 0.7, 0.8)), -10, 0.01);
  assertLess(furthestStep(left!), STEP * 1.02);
});

Deno.test("a console of other faders gets another graph, never louder than one", async () => {
  const other = { mixers: [{ faders: 5 }] };
  const whole = { at: 0.2, act: (engine) => engine.whole(treeOf({ console: other, set: open })) } as
    & Parameters<typeof rendered>[0]["cues"]
    & object extends readonly (infer Cue)[] ? Cue : never;
  const [left] = await rendered({
    console,
    wiring,
    set: open,
    seconds: 0.5,
    cues: [whole, change(0.3, `${FADER}/fader`, -20)],
  });
  assertEquals(left!.every((sample) => Math.abs(sample) <= 1.0001), true);
  assertAlmostEquals(levelOf(part(left!, 0.25, 0.3)), 0, 0.01);
  assertAlmostEquals(levelOf(part(left!, 0.4, 0.5)), -20, 0.01);
});

Deno.test("a wiring that names what there is not is refused, naming it", () => {
  const context = new OfflineAudioContext(2, 128, 48_000) as unknown as BaseAudioContext;
  for (
    const [outputs, message] of [
      [{ "mixer/7": [0, 1] }, "the wiring names mixer/7, expected one of mixer/0, pfl1/0, pfl2/0"],
      [{ "mixer/0": [0, 2] }, "the wiring has channel 2, expected 0..1"],
    ] as const
  ) {
    const engine = createEngine(context, { outputs }, 0);
    assertThrows(() => engine.whole(treeOf({ console })), RangeError, message);
  }
});
