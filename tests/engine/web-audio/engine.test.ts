import { assertAlmostEquals, assertEquals, assertLess, assertThrows } from "@std/assert";
import { find } from "../../../core/tree/tree.ts";
import { createEngine, type Engine, type Output } from "../../../engine/web-audio/engine.ts";
import { createRenderer, type Order } from "../../../engine/web-audio/renderer.ts";
import { BLOCK } from "../../../engine/web-audio/signal.ts";
import {
  at,
  change,
  type Cue,
  furthestStep,
  levelOf,
  levelsAt,
  open,
  part,
  RATE,
  rendered,
  STEP,
  TONE,
  treeOf,
} from "./rendering.ts";

const FADER = "/audio/mixers/0/faders/0";
const LEFT = ["audio", "levels", "1", "_left"];
const console = { mixers: [{ faders: 2 }] };
const wiring = { sources: { 1: TONE } };

/** A cue that gives the engine the whole state. */
const whole = (at: number, session: Parameters<typeof treeOf>[0]): Cue => ({
  at,
  act: (engine) => engine.whole(treeOf(session)),
});

/** An output that only records its calls. */
function notedOutput(): Output & { readonly told: Order[] } {
  const told: Order[] = [];
  return {
    channels: 2,
    currentTime: 0,
    told,
    obey: (order) => told.push(order),
    meters: () => undefined,
  };
}

Deno.test("an engine is silent until it has the state, also when values change", () => {
  const output = notedOutput();
  const engine = createEngine(output, wiring, 0);
  engine.apply(at(FADER, { on: true, fader: 0 }));
  engine.apply(at(`${FADER}/fader`, 10), 4711);
  assertEquals(engine.meters(), undefined);
  assertEquals(output.told, []);
  const renderer = createRenderer({
    sampleRate: RATE,
    channels: 2,
    inputs: 0,
    sources: wiring.sources,
  });
  const [left, right] = [new Float32Array(BLOCK).fill(1), new Float32Array(BLOCK).fill(1)];
  renderer.render(0, [], [left, right]);
  assertEquals([left, right], [new Float32Array(BLOCK), new Float32Array(BLOCK)]);
});

Deno.test("an engine that gets the state fades in", () => {
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.1 });
  assertAlmostEquals(levelOf(part(left!, 0.05, 0.1)), 0, 0.01);
  assertLess(furthestStep(left!), STEP + 1 / 240);
});

Deno.test("a state that comes again, as after a lost connection, applies missed changes without a click", () => {
  const cues = [
    whole(0.2, { console, set: open(0) }),
    whole(0.4, { console, set: { ...open(0), [`${FADER}/fader`]: -20 } }),
    change(0.6, `${FADER}/fader`, -10),
  ];
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.8, cues });
  const untouched = rendered({ console, wiring, set: open(0), seconds: 0.4 });
  assertEquals(part(left!, 0, 0.4), part(untouched[0]!, 0, 0.4));
  assertEquals(levelsAt(left!, 0.5, 0.7), [-20, -10]);
  assertLess(furthestStep(left!), STEP * 1.02);
});

Deno.test("a console with other faders gets a new graph, and the change is never louder than full scale", () => {
  const other = { mixers: [{ faders: 5 }] };
  const cues = [whole(0.2, { console: other, set: open(0) }), change(0.3, `${FADER}/fader`, -20)];
  const [left] = rendered({ console, wiring, set: open(0), seconds: 0.5, cues });
  assertEquals(left!.every((sample) => Math.abs(sample) <= 1.0001), true);
  assertAlmostEquals(levelOf(part(left!, 0.25, 0.3)), 0, 0.01);
  assertAlmostEquals(levelOf(part(left!, 0.4, 0.5)), -20, 0.01);
});

Deno.test("a mute group that the console lost mutes no fader", () => {
  const muted = { mixers: [{ faders: 2, mutegroups: 2 }] };
  const set = {
    ...open(0),
    [`${FADER}/mutegroups/1`]: true,
    "/audio/mixers/0/mutegroups/1": true,
  };
  const none = { mixers: [{ faders: 2, mutegroups: 0 }] };
  const cues = [whole(0.2, { console: none, set: open(0) })];
  const [left] = rendered({ console: muted, wiring, set, seconds: 0.4, cues });
  assertEquals(levelOf(part(left!, 0, 0.2)), -Infinity);
  assertAlmostEquals(levelOf(part(left!, 0.3, 0.4)), 0, 0.01);
});

Deno.test("a level meter with a new mode moves by that mode", () => {
  const levels = (mode: "PPM" | "VU") => ({ ...console, levels: [{ id: 1, mode }] });
  const shown: number[] = [];
  const show = (at: number) => ({
    at,
    act: (engine: Engine) => shown.push(find(engine.meters()!, LEFT) as number),
  });
  const cues = [
    show(0.15),
    whole(0.2, { console: levels("VU"), set: open(0) }),
    show(0.25),
  ];
  rendered({ console: levels("PPM"), wiring, set: open(0), seconds: 0.3, cues });
  // After 50 ms a VU meter has moved half of the way.
  assertAlmostEquals(shown[0]!, 0, 0.5);
  assertAlmostEquals(shown[1]!, 20 * Math.log10(1 - 10 ** (-2 * 0.05 / 0.3)), 1);
});

Deno.test("a wiring that names an unknown bus or channel is refused, and the message names it", () => {
  for (
    const [outputs, message] of [
      [{ "mixer/7": [0, 1] }, "the wiring names mixer/7, expected one of mixer/0, pfl1/0, pfl2/0"],
      [{ "mixer/0": [0, 2] }, "the wiring has channel 2, expected 0..1"],
    ] as const
  ) {
    const output = notedOutput();
    const engine = createEngine(output, { outputs }, 0);
    assertThrows(() => engine.whole(treeOf({ console })), RangeError, message);
    assertEquals(output.told, []);
  }
});
