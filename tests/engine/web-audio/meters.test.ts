import { assertAlmostEquals, assertEquals } from "@std/assert";
import { find, type Patch } from "../../../core/tree/tree.ts";
import { change, type Cue, rendered } from "./rendering.ts";

const FADER = "/audio/mixers/0/faders/0";
const console = {
  mixers: [{ faders: 2 }],
  levels: [
    { id: 1, mode: "PPM" },
    { id: 2, mode: "VU" },
    { id: 3, mode: "TruePeak" },
  ],
  loudness: [{ id: 1 }],
} satisfies Parameters<typeof rendered>[0]["console"];

/** The meters at the end, read 25 times a second. */
function shown(
  set: Readonly<Record<string, unknown>>,
  frequency: number,
  level: number,
  extra: readonly Cue[] = [],
): (path: string) => unknown {
  let report: Patch | undefined;
  const seconds = 2;
  const cues = Array.from({ length: seconds * 25 - 1 }, (_, index): Cue => ({
    at: (index + 1) * 0.04,
    act(engine) {
      report = engine.meters();
    },
  }));
  rendered({
    console,
    set: { [`${FADER}/on`]: true, ...set },
    wiring: { sources: { 1: { kind: "tone", frequency, level } } },
    seconds,
    cues: [...cues, ...extra],
  });
  return (path) => find(report!, `audio/${path}`.split("/"));
}

function near(found: unknown, expected: number, within: number): void {
  for (const value of [found].flat()) assertAlmostEquals(value as number, expected, within);
}

Deno.test("the meters of a fader show its input, and the signals before (PFL) and after (AFL) the fader", () => {
  const eq2 = { on: true, frequency: 1000, gain: 6, q: 1, type: 0 };
  const path = "mixers/0/faders/0/meter";
  const meter = shown(
    {
      [`${FADER}/fader`]: -20,
      [`${FADER}/params/eq2`]: eq2,
      [`${FADER}/params/gain/dgain`]: -3,
    },
    1000,
    -10,
  );
  near(meter(`${path}/_input`), -13, 0.2);
  near(meter(`${path}/_pfl`), -7, 0.2);
  near(meter(`${path}/_afl`), -27, 0.2);
  near(meter("mixers/0/faders/1/meter/_afl"), -125, 0);
});

Deno.test("levels show the sum of their mixer by their mode, and the correlation of both sides", () => {
  const meter = shown({ [`${FADER}/fader`]: 0 }, 997, -12);
  for (const id of [1, 2, 3]) {
    near(meter(`levels/${id}/_left`), -12, 0.2);
    near(meter(`levels/${id}/_right`), -12, 0.2);
    assertEquals(meter(`levels/${id}/_correlation`), 1);
  }
});

Deno.test("loudness of a sine on both sides at -23 dB is -23 LUFS", () => {
  const meter = shown({ [`${FADER}/fader`]: 0 }, 1000, -23);
  near(meter("loudness/1/_levelm"), -23, 0.1);
  near(meter("loudness/1/_leveli"), -23, 0.2);
  near(meter("loudness/1/_peak"), -23, 0.3);
});

Deno.test("dynamics report their gain reduction as a negative number, and 0 while they are off", () => {
  const path = "mixers/0/faders/0/params";
  const set = {
    [`${FADER}/params/compressor`]: { on: true, threshold: -20, ratio: 4, attack: 5 },
    [`${FADER}/params/expander`]: { on: true, threshold: -2, ratio: 2, attack: 5 },
  };
  const on = shown(set, 1000, -4);
  near(on(`${path}/expander/_gainreduction`), -2, 0.5);
  near(on(`${path}/compressor/_gainreduction`), -10.5, 0.7);
  const off = shown(set, 1000, -4, [change(1.01, `${FADER}/params/compressor/on`, false)]);
  near(off(`${path}/compressor/_gainreduction`), 0, 0);
});

Deno.test("a de-esser reports 3 of every 4 dB over its threshold", () => {
  const set = { [`${FADER}/params/deesser2`]: { on: true, threshold: -18, frequency: 100 } };
  const meter = shown(set, 1000, -4);
  near(meter("mixers/0/faders/0/params/deesser2/_gainreduction"), -10.5, 0.5);
});

Deno.test("samples that are no sound, such as NaN, are played and metered as silence", () => {
  const played = (...wrong: number[]) => {
    const samples = Float32Array.from({ length: 480 }, (_, at) => Math.sin(at * Math.PI / 24) / 2);
    samples.set(wrong, 100);
    let report: Patch | undefined;
    const sides = rendered({
      console,
      set: {
        [`${FADER}/on`]: true,
        [`${FADER}/fader`]: 0,
        [`${FADER}/params/eq2`]: { on: true, gain: 6 },
        [`${FADER}/params/compressor/on`]: true,
      },
      wiring: { sources: { 1: { kind: "samples", channels: [samples] } as never } },
      seconds: 1,
      cues: [{ at: 0.9, act: (engine) => report = engine.meters() }],
    });
    return { sides, report };
  };
  assertEquals(played(NaN, Infinity, -Infinity, 3e38), played(0, 0, 0, 0));
});
