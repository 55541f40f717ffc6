/** The members of the control tree that are meters. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../../core/configuration/demo.ts";
import { initialState } from "../../../core/state.ts";
import { mayHaveMeters, namesMeters, splitMeters } from "../../../core/tree/meters.ts";
import { combine, formatPath, isBranch, parsePath, type Tree } from "../../../core/tree/tree.ts";

const fader = "/audio/mixers/0/faders/3";

/**
 * Each row has a path, whether it names meters or lies inside them, and whether there are meters at
 * or below it.
 */
const paths: readonly (readonly [string, boolean, boolean])[] = [
  ["/", false, true],
  ["/audio", false, true],
  ["/audio/mixers", false, true],
  ["/audio/mixers/0", false, true],
  [fader, false, true],
  [`${fader}/meter`, true, true],
  [`${fader}/meter/_input`, true, true],
  [`${fader}/meter/_input/0`, true, true],
  [`${fader}/fader`, false, false],
  [`${fader}/_readystate`, false, false],
  [`${fader}/params`, false, true],
  [`${fader}/params/limiter`, false, true],
  [`${fader}/params/limiter/_gainreduction`, true, true],
  [`${fader}/params/limiter/threshold`, false, false],
  ["/audio/flexprocessings/1/params/gate/_gainreduction", true, true],
  ["/audio/levels", true, true],
  ["/audio/levels/1/_left", true, true],
  ["/audio/loudness/1", true, true],
  ["/audio/pots/1/value", false, false],
  ["/general/_uptime", false, false],
  ["/constructor", false, false],
  ["/audio/toString", false, false],
];

for (const [path, names, has] of paths) {
  Deno.test(`${path}: ${names ? "names meters" : has ? "has meters below" : "has no meters"}`, () => {
    const members = parsePath(path);
    assertEquals([namesMeters(members), mayHaveMeters(members)], [names, has]);
  });
}

function* leavesOf(node: Tree, path: readonly string[]): Generator<readonly string[]> {
  if (!isBranch(node)) return yield path;
  for (const [member, inner] of Object.entries(node)) yield* leavesOf(inner, [...path, member]);
}

Deno.test("the meters of the demo console are exactly these members", () => {
  const read = readConfiguration(demoConfiguration);
  if ("faults" in read) throw new Error();
  const { audio } = initialState(read.configuration).tree;
  const meters = [...leavesOf(audio!, ["audio"])].filter(namesMeters)
    .map((path) => path.filter((member) => !/^\d+$/.test(member)));
  const kinds = [...new Set(meters.map((path) => formatPath(path.slice(1))))].sort();
  const blocks = ["agc", "compressor", "deesser2", "expander", "gate", "limiter", "r128agc"];
  const level = ["_correlation", "_left", "_mode", "_name", "_right"];
  const loudness = "_leveli _levelm _levelo _levels _levelu _maxm _maxpeak _maxs _mode _name _peak";
  assertEquals(kinds, [
    ...blocks.map((block) => `/flexprocessings/params/${block}/_gainreduction`),
    ...level.map((member) => `/levels/${member}`),
    ...loudness.split(" ").map((member) => `/loudness/${member}`),
    "/mixers/faders/busparams/automix/_gainreduction",
    ...["_afl", "_input", "_pfl"].map((member) => `/mixers/faders/meter/${member}`),
    ...blocks.map((block) => `/mixers/faders/params/${block}/_gainreduction`),
  ]);
});

Deno.test("a patch is split into meters and other values; an empty part is undefined", () => {
  const meter = { _input: [-1, -2] };
  const params = { limiter: { _gainreduction: -3 } };
  const faders = (members: Parameters<typeof splitMeters>[0]) => ({
    audio: { mixers: { 0: { faders: { 1: members } } } },
  });
  assertEquals(splitMeters(faders({ meter, _readystate: true, params })), {
    meters: faders({ meter, params }),
    rest: faders({ _readystate: true }),
  });
  assertEquals(splitMeters(faders({ meter })), { meters: faders({ meter }), rest: undefined });
  assertEquals(splitMeters({ general: { _x: 1 } }), {
    meters: undefined,
    rest: { general: { _x: 1 } },
  });
  assertEquals(splitMeters({}), { meters: undefined, rest: undefined });
});

Deno.test("law: the two parts of a split patch combine to that patch", () => {
  const leaf = fc.constantFrom(1, "text", true);
  const faders = fc.dictionary(
    fc.constantFrom("0", "1"),
    fc.record({
      fader: leaf,
      meter: fc.record({ _input: leaf }),
      params: fc.record({ gate: fc.record({ _gainreduction: leaf, on: leaf }) }),
    }, { requiredKeys: ["fader"] }),
    { minKeys: 1 },
  );
  fc.assert(fc.property(faders, (faders) => {
    const patch = { audio: { levels: { 1: { _left: 2 } }, mixers: { 0: { faders } } } };
    const { meters = {}, rest = {} } = splitMeters(patch);
    assertEquals(combine(meters, rest), patch);
    assertEquals(combine(rest, meters), patch);
  }));
});
