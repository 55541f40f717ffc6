import { assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import {
  change,
  type Cue,
  furthestStep,
  HERTZ,
  levelOf,
  levelsAt,
  open,
  part,
  RATE,
  rendered,
  STEP,
  SWITCH,
  TONE,
} from "./rendering.ts";

const FADER = "/audio/mixers/0/faders/0";
const PARAMS = `${FADER}/params`;
/** Blocks that a fader has only if its configuration names them. */
const processing =
  ("subsonic expander gate eq eq1 eq2 eq3 eq4 varfilter varfilter1 deesser2 compressor limiter delay")
    .split(" ") as never;
const console = { mixers: [{ faders: [{ channel: 1, label: "Host", processing }] }] };

/** The level of a tone in dB after some processing, once all values have settled. */
function levelAfter(
  set: Readonly<Record<string, unknown>>,
  frequency: number,
  level = -20,
): number {
  const [left] = rendered({
    console,
    set: { ...open(0), [PARAMS]: set },
    wiring: { sources: { 1: { kind: "tone", frequency, level } } },
    seconds: 1.5,
  });
  return levelOf(part(left!, 1, 1.5));
}

for (
  const [band, frequency] of [["eq", 1000], ["eq1", 100], ["eq2", 500], ["eq3", 2000], [
    "eq4",
    8000,
  ]] as const
) {
  for (const gain of [-12, -3, 6, 15]) {
    Deno.test(`the gain of ${band} at ${frequency} Hz is ${gain} dB within 0.2 dB`, () => {
      const set = { [band]: { on: true, frequency, gain, q: 1.4 } };
      assertAlmostEquals(levelAfter(set, frequency), -20 + gain, 0.2);
    });
  }
}

const filters: readonly (readonly [string, object, number, number, number])[] = [
  ["a low shelf lifts frequencies below it", { type: 1, frequency: 500, gain: 6 }, 50, 6, 0.2],
  ["a low shelf does not change the highs", { type: 1, frequency: 500, gain: 6 }, 8000, 0, 0.2],
  ["a high shelf lowers the highs", { type: 2, frequency: 2000, gain: -6 }, 15_000, -6, 0.3],
  ["a lowpass is 3 dB down at its frequency", { type: 3, frequency: 1000, q: 0.7 }, 1000, -3, 0.2],
  ["a highpass is 3 dB down at its frequency", { type: 4, frequency: 1000, q: 0.7 }, 1000, -3, 0.2],
  [
    "a bandpass does not change the level at its frequency",
    { type: 5, frequency: 1000, q: 2 },
    1000,
    0,
    0.2,
  ],
  ["an allpass does not change any level", { type: 7, frequency: 1000, q: 2 }, 500, 0, 0.2],
];

for (const [sentence, values, frequency, expected, within] of filters) {
  Deno.test(`${sentence}, in an equalizer`, () => {
    const level = levelAfter({ eq2: { on: true, ...values } }, frequency);
    assertAlmostEquals(level, -20 + expected, within);
  });
}

Deno.test("a notch removes its frequency, in an equalizer", () => {
  const set = { eq2: { on: true, type: 6, frequency: 1000, q: 1 } };
  assertLess(levelAfter(set, 1000), -60);
});

Deno.test("a delay block delays its signal by `delay` ms, rounded to the nearest sample, and changes nothing else", () => {
  const wiring = { sources: { 1: { kind: "noise", level: 0, seed: 1 } } } as const;
  const after = (values: object) => {
    const set = { ...open(0), [`${PARAMS}/delay`]: values };
    return rendered({ console, set, wiring, seconds: 0.5 })[0]!;
  };
  const plain = after({ on: false });
  for (const delay of [0, 0.02, 10.2, 12.3]) {
    const late = Math.round(delay * RATE / 1000);
    assertEquals(
      part(after({ on: true, delay }), 0.4, 0.5),
      plain.subarray(0.4 * RATE - late, 0.5 * RATE - late),
    );
  }
});

Deno.test("a delay does not change the level of high frequencies", () => {
  assertAlmostEquals(levelAfter({ delay: { on: true, delay: 10.2 } }, 15_000), -20, 0.1);
});

Deno.test("subsonic is 3 dB down at its frequency, and falls by 12 dB an octave below it", () => {
  const set = { subsonic: { on: true, frequency: 80 } };
  assertAlmostEquals(levelAfter(set, 80), -23, 0.2);
  assertAlmostEquals(levelAfter(set, 20), -44, 0.5);
  assertAlmostEquals(levelAfter(set, 1000), -20, 0.1);
});

for (const order of [1, 2, 3, 4, 5, 8]) {
  for (const hipass of [true, false]) {
    const name = `a ${hipass ? "highpass" : "lowpass"} of order ${order}`;
    Deno.test(`${name} is 3 dB down at its frequency, and falls by ${6 * order} dB an octave`, () => {
      const set = { varfilter1: { on: true, frequency: 1000, hipass, order } };
      assertAlmostEquals(levelAfter(set, 1000), -23, 0.2);
      const [near, far] = hipass ? [500, 2000] : [2000, 500];
      const down = 10 * Math.log10(1 + 4 ** order);
      assertAlmostEquals(levelAfter(set, near, 0), -down, 0.5);
      assertAlmostEquals(levelAfter(set, far), -20, 1);
    });
  }
}

const compressor = { threshold: -20, ratio: 4 };
const gate = { threshold: -40, attenuation: 30 };
const expander = { threshold: -30, ratio: 2 };

/** A block, its values, its effect, the levels before and after it in dB, the tolerance in dB. */
const dynamics: readonly (readonly [string, object, string, number, number, number])[] = [
  ["compressor", compressor, "does not change a level below its threshold", -30, -30, 0.2],
  ["compressor", compressor, "reduces 12 dB above its threshold to 3 dB, at 4:1", -8, -17, 0.7],
  ["compressor", { ...compressor, gain: 5 }, "adds its gain, and nothing else", -30, -25, 0.2],
  ["limiter", { threshold: -12 }, "does not change a level below its threshold", -15, -15, 0.2],
  ["limiter", { threshold: -20 }, "reduces 20 dB above its threshold to 1 dB", 0, -19, 0.7],
  ["gate", gate, "does not change a level above its threshold", -34, -34, 0.3],
  ["gate", gate, "attenuates a level below its threshold", -46, -76, 0.5],
  ["expander", expander, "does not change a level above its threshold", -25, -25, 0.3],
  ["expander", expander, "expands 10 dB below its threshold to 20 dB, at 1:2", -40, -50, 0.7],
];

for (const [block, values, sentence, level, expected, within] of dynamics) {
  Deno.test(`the ${block} ${sentence}`, () => {
    const set = { [block]: { on: true, ...values } };
    assertAlmostEquals(levelAfter(set, HERTZ, level), expected, within);
  });
}

Deno.test("above its frequency, a de-esser compresses levels over its threshold at 4:1", () => {
  const set = { deesser2: { on: true, frequency: 4000, threshold: -30 } };
  assertAlmostEquals(levelAfter(set, 14_000, -10), -25, 0.7);
  assertAlmostEquals(levelAfter(set, 14_000, -34), -34, 0.2);
  assertAlmostEquals(levelAfter(set, 400, -10), -10, 0.2);
});

for (
  const [block, values, expected] of [
    ["gate", gate, -20],
    ["expander", expander, -20],
    ["deesser2", { frequency: 100, threshold: -40 }, -35],
  ] as const
) {
  Deno.test(`the ${block} measures left and right channels of opposite phase like equal channels`, () => {
    const sine = Float32Array.from({ length: 48 }, (_, at) => 0.1 * Math.sin(at * Math.PI / 24));
    for (const other of [sine, sine.map((sample) => -sample)]) {
      const [left, right] = rendered({
        console,
        set: { ...open(0), [PARAMS]: { [block]: { on: true, ...values } } },
        wiring: { sources: { 1: { kind: "samples", channels: [sine, other] } as never } },
        seconds: 1.5,
      });
      assertAlmostEquals(levelOf(part(left!, 1, 1.5)), expected, 0.7);
      assertAlmostEquals(levelOf(part(right!, 1, 1.5)), expected, 0.7);
    }
  });
}

Deno.test("blocks are switched, and their values changed, without a click", () => {
  const cues = [
    change(0.2, `${PARAMS}/eq1`, { on: true, frequency: HERTZ, gain: -12 }),
    change(0.3, `${PARAMS}/subsonic/on`, true),
    change(0.4, `${PARAMS}/eq1/gain`, 0),
    change(0.5, `${PARAMS}/eq1/type`, 3),
    change(0.6, `${PARAMS}/eq1/frequency`, 10_000),
    change(0.7, `${PARAMS}/compressor`, { on: true, threshold: -40 }),
    change(0.8, `${PARAMS}/limiter/on`, true),
    change(0.9, `${PARAMS}/limiter/on`, false),
    change(0.903, `${PARAMS}/limiter/on`, true),
    change(0.92, `${PARAMS}/varfilter1`, { on: true, frequency: 60, order: 3 }),
    change(0.94, `${PARAMS}/varfilter1/frequency`, 90),
    change(0.96, `${PARAMS}/deesser2`, { on: true, threshold: -60, frequency: 900 }),
    change(1, `${FADER}/bypass`, true),
  ];
  const [left] = rendered({
    console,
    set: open(0),
    wiring: { sources: { 1: { ...TONE, level: -20 } } },
    seconds: 1.2,
    cues,
  });
  const amplitude = 0.1;
  assertLess(furthestStep(left!), amplitude * (STEP + 2 * SWITCH));
  assertAlmostEquals(levelOf(part(left!, 0.3, 0.4)), -32, 0.3);
  assertAlmostEquals(levelOf(part(left!, 1.1, 1.2)), -20, 0.1);
});

/** A block, its values, and its gain at the frequency where it is highest, in dB. */
const moves: readonly (readonly [string, object, number])[] = [
  ["eq2", { type: 0, q: 0.7, gain: 6 }, 6],
  ["eq2", { type: 0, q: 0.7, gain: 12 }, 12],
  ["eq2", { type: 3, q: 0.7 }, 0],
  ["varfilter1", { hipass: false, order: 2 }, 0],
];

for (const [block, values, gain] of moves) {
  for (const frequency of [200, HERTZ]) {
    const name = `${block} ${JSON.stringify(values)} at ${frequency} Hz`;
    Deno.test(`a large change of a filter's frequency raises no level above the filter's highest gain, within 2 dB: ${name}`, () => {
      const [left] = rendered({
        console,
        set: { ...open(0), [`${PARAMS}/${block}`]: { on: true, ...values, frequency: 8000 } },
        wiring: { sources: { 1: { kind: "tone", frequency, level: -20 } } },
        seconds: 0.6,
        cues: [change(0.3, `${PARAMS}/${block}/frequency`, 100)],
      });
      assertLess(20 * Math.log10(Math.max(...left!.map(Math.abs))), -20 + gain + 2);
    });
  }
}

Deno.test("new values of a filter take effect even if their start time has already passed", () => {
  const set = {
    ...open(0),
    [`${PARAMS}/eq1`]: { on: true, frequency: HERTZ, gain: 0 },
    [`${PARAMS}/varfilter1`]: { on: true, frequency: 20, hipass: true, order: 1 },
  };
  const [left] = rendered({
    console,
    set,
    wiring: { sources: { 1: { ...TONE, level: -20 } } },
    seconds: 0.7,
    cues: [
      change(0.2, `${PARAMS}/eq1/gain`, 12),
      change(0.4, `${PARAMS}/varfilter1/frequency`, HERTZ),
    ],
    ahead: -0.03,
  });
  assertAlmostEquals(levelOf(part(left!, 0.3, 0.4)), -8, 0.2);
  assertAlmostEquals(levelOf(part(left!, 0.6, 0.7)), -11, 0.2);
});

Deno.test("a compressor keeps its gain reduction while another block is switched on", () => {
  const [left] = rendered({
    console,
    set: {
      ...open(0),
      [`${PARAMS}/compressor`]: { on: true, threshold: -40, ratio: 10, attack: 20 },
    },
    wiring: { sources: { 1: TONE } },
    seconds: 1.6,
    cues: [change(1, `${PARAMS}/subsonic/on`, true)],
  });
  const settled = levelOf(part(left!, 0.9, 1));
  for (let from = 1; from < 1.58; from += 0.02) {
    assertLess(levelOf(part(left!, from, from + 0.02)), settled + 0.5);
  }
});

Deno.test("new values of a block are heard at once also while another block is still settling", () => {
  const set = {
    ...open(0),
    [`${PARAMS}/eq1`]: { on: true, frequency: HERTZ, gain: 0 },
    [`${PARAMS}/delay/delay`]: 500,
  };
  const cues = [
    change(0.1, `${PARAMS}/delay/on`, true),
    change(0.2, `${PARAMS}/eq1/gain`, -12),
    change(0.3, `${PARAMS}/subsonic/on`, true),
    change(0.4, `${PARAMS}/eq1/gain`, 6),
    // The engine replaces the block when the type of the filter changes, and the new block also has
    // to settle.
    change(0.5, `${PARAMS}/eq1`, { type: 3, gain: -12 }),
  ];
  const [left] = rendered({
    console,
    set,
    wiring: { sources: { 1: { ...TONE, level: -20 } } },
    seconds: 1,
    cues,
  });
  assertEquals(levelsAt(left!, 0.1, 0.23, 0.43, 0.6), [-20, -32, -14, -14]);
  assertLess(furthestStep(left!), 0.2 * (STEP + SWITCH));
});

for (
  const [block, values] of [
    ["compressor", { threshold: -30, ratio: 10, attack: 5, release: 1000 }],
    ["limiter", { threshold: -30, release: 1000 }],
    ["gate", { threshold: -20, attenuation: 40, attack: 5, release: 1000 }],
    ["expander", { threshold: -10, attack: 5, release: 1000 }],
  ] as const
) {
  Deno.test(`the ${block} continues its attack or release when another block is switched on`, () => {
    // Loud for 1 s, then 26 dB quieter.
    const samples = Float32Array.from(
      { length: 2 * RATE },
      (_, index) => (index < RATE ? 1 : 0.05) * Math.sin(2 * Math.PI * HERTZ * index / RATE),
    );
    const played = (...cues: Cue[]) =>
      rendered({
        console,
        set: { ...open(0), [`${PARAMS}/${block}`]: { on: true, ...values } },
        wiring: { sources: { 1: { kind: "samples", channels: [samples] } as never } },
        seconds: 2,
        cues,
      })[0]!;
    const alone = played();
    const switched = played(change(1.2, `${PARAMS}/eq1`, { on: true, gain: 0 }));
    for (let from = 1.2; from < 2; from += 0.02) {
      const [expected, level] = [alone, switched].map((samples) =>
        levelOf(part(samples, from, from + 0.02))
      );
      assertAlmostEquals(level!, expected!, 0.2);
    }
  });
}

Deno.test("bypass takes effect at once without a click, also while a block is still settling", () => {
  const set = {
    ...open(0),
    [`${PARAMS}/eq1`]: { on: true, frequency: 1000, gain: 12, q: 1 },
    [`${PARAMS}/compressor`]: { attack: 200, threshold: 0, ratio: 1 },
  };
  const cues = [
    change(0.1, `${PARAMS}/compressor/on`, true),
    change(0.3, `${FADER}/bypass`, true),
    change(0.304, `${FADER}/bypass`, false),
    change(0.308, `${FADER}/bypass`, true),
  ];
  const [left] = rendered({
    console,
    set,
    wiring: { sources: { 1: { ...TONE, level: -20 } } },
    seconds: 1.8,
    cues,
  });
  assertAlmostEquals(levelOf(part(left!, 0.2, 0.3)), -8, 0.2);
  assertAlmostEquals(levelOf(part(left!, 0.33, 1.8)), -20, 0.1);
  assertLess(furthestStep(left!), 0.4 * (STEP + SWITCH));
});
