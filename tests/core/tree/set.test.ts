import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { get } from "../../../core/tree/get.ts";
import { type Branch, isBranch, type Tree } from "../../../core/tree/tree.ts";
import { set } from "../../../core/tree/set.ts";
import { result, testConsole } from "../../service.ts";
import { codeOf, refusal, refusalOf, valueAt } from "../actors.ts";
import { recordingStore } from "../stores.ts";

const fader = "/audio/mixers/0/faders/0";

function numberRanges(node: Tree, path: string): [string, Record<string, number>][] {
  if (!isBranch(node)) return [];
  if (typeof node.type === "string") {
    return node.type === "number" && !path.endsWith("/inc")
      ? [[path, node as Record<string, number>]]
      : [];
  }
  return Object.entries(node).flatMap(([member, value]) =>
    numberRanges(value, `${path}/${member}`)
  );
}

Deno.test("numbers out of range go to the nearest bound, at every number of the tree", async () => {
  const console = await testConsole();
  const ranges = numberRanges(valueAt(console, "range"), "")
    .filter(([path]) => !/mixers\/1|faders\/[1-7]|flexprocessings\/1|sourceid/.test(path));
  assert(ranges.length > 50);
  for (const [path, { min, max }] of ranges) {
    for (const [written, expected] of [[max! + 1, max], [1e300, max], [min! - 1, min]] as const) {
      assertEquals(await result(console, set(path, written)), expected!, path);
      assertEquals(valueAt(console, path), expected!, path);
    }
  }
});

Deno.test("a value in range is unchanged, except that a leaf of whole numbers is rounded", async () => {
  const console = await testConsole();
  assertEquals(await result(console, set(`${fader}/fader`, -19.43)), -19.43);
  assertEquals(await result(console, set(`${fader}/vcagroup`, 2.6)), 3);
  assertEquals(await result(console, set(`${fader}/params/eq1/type`, 3)), 3);
});

Deno.test("the answer carries the values now in force, in the shape of what was written", async () => {
  const console = await testConsole();
  assertEquals(await result(console, set(fader, { on: true, fader: 99 })), { on: true, fader: 10 });
  assertEquals(await result(console, set("/audio", { mixers: { 0: { faders: {} } } })), {
    mixers: { 0: { faders: {} } },
  });
});

/** A path and a value that set refuses, and the error code. */
const refused: readonly [string, unknown, number][] = [
  ["a number as text", [`${fader}/fader`, "1"], 3],
  ["a number as null", [`${fader}/fader`, null], 3],
  ["a number as a boolean", [`${fader}/fader`, true], 3],
  ["a number as a list", [`${fader}/fader`, [1]], 3],
  ["a number as an object", [`${fader}/fader`, {}], 3],
  ["nothing", [`${fader}/fader`, undefined], 3],
  ["NaN", [`${fader}/fader`, NaN], 3],
  ["a boolean as a number", [`${fader}/on`, 1], 3],
  ["a boolean as text", [`${fader}/on`, "true"], 3],
  ["a text as an infinite number", [`${fader}/label`, Infinity], 3],
  ["a route to no input, as a number", ["/audio/routing/routes/1", 77], 3],
  ["a label as a boolean", [`${fader}/label`, true], 3],
  ["a logic as a number", ["/control/logics/2", 1], 3],
  ["a label of the console as bare text", ["/control/labels/1", "x"], 3],
  ["a text as null", [`${fader}/label`, null], 3],
  ["an object as a number", [fader, 1], 3],
  ["an object as null", [fader, null], 3],
  ["an object as a list", [fader, []], 3],
  ["an object as text, below", [fader, { options: "x" }], 3],
  ["an unknown root", ["/nowhere", 1], 6],
  ["an unknown member", [`${fader}/nothing`, 1], 6],
  ["an unknown member, below", [fader, { nothing: 1 }], 6],
  ["a fader that is not configured", ["/audio/mixers/0/faders/8/fader", 1], 6],
  ["a mixer that is not configured", ["/audio/mixers/2", { faders: {} }], 6],
  ["below a value", [`${fader}/fader/x`, 1], 6],
  ["an index of a text", ["/general/_api_version/0", "2"], 6],
  ["a read-only member", ["/general/_uptime", 1], 7],
  ["a read-only member, below", [fader, { _defaultlabel: "x" }], 7],
  ["a meter", [`${fader}/meter/_input`, [0, 0]], 7],
  ["an item of a meter", [`${fader}/meter/_input/0`, 0], 7],
  ["all meters", [fader, { meter: { _input: [0, 0] } }], 7],
  ["a mixer's sourcelist", ["/audio/mixers/0", { sourcelist: [] }], 7],
  ["a label in the sourcelist", ["/audio/mixers/0/sourcelist/0/_label", "x"], 7],
  ["a range", [`/range${fader}/fader/max`, 20], 7],
  ["ranges, from the root", ["/", { range: { audio: {} } }], 7],
  ["__proto__", ["/__proto__", { x: 1 }], 6],
  ["__proto__, below", [`${fader}/__proto__/polluted`, 1], 6],
  ["__proto__ as a member", [fader, JSON.parse('{"__proto__":{"polluted":1}}')], 6],
  ["constructor", [`${fader}/constructor`, 1], 6],
  ["constructor as a member", [fader, { constructor: { prototype: {} } }], 6],
  ["toString", ["/toString", "x"], 6],
  ["the length of a list", ["/audio/mixers/0/sourcelist/length", 0], 6],
  ["the length of a meter", [`${fader}/meter/_input/length`, 0], 6],
] as unknown as readonly [string, unknown, number][];

for (const [what, written, code] of refused) {
  Deno.test(`set refuses ${what} with code ${code}, and changes nothing`, async () => {
    const [path, value] = written as [string, unknown];
    const store = recordingStore();
    const console = await testConsole({ store });
    const { state } = console;
    const stored = store.records.length;
    const outcome = await console.dispatch(set(path, value), {});
    assertEquals("code" in outcome ? outcome.code : 0, code);
    assert(console.state === state);
    assertEquals(store.records.length, stored);
    assertEquals(({} as Record<string, unknown>).polluted, undefined);
  });
}

Deno.test("one wrong value among many changes nothing, wherever it stands", async () => {
  const console = await testConsole();
  const { tree } = console.state;
  const many = (wrong: object) => ({
    0: { faders: { 0: { fader: -3, on: true }, 1: { on: true, ...wrong }, 2: { on: true } } },
    1: { options: { directoffair: true } },
  });
  for (const [wrong, code] of [[{ fader: "x" }, 3], [{ x: 1 }, 6], [{ _lastloadedsnap: "" }, 7]]) {
    assertEquals(await codeOf(console, set("/audio/mixers", many(wrong as object))), code);
    assert(console.state.tree === tree);
  }
  assertEquals(await codeOf(console, set("/audio/mixers", many({}))), 0);
  assertEquals(valueAt(console, "audio/mixers/1/options/directoffair"), true);
});

Deno.test("a refusal names the path, the value and what was expected", async () => {
  const console = await testConsole();
  const { message } = await refusalOf(console, set(`${fader}/fader`, "loud"));
  for (const part of [`${fader}/fader`, '"loud"', "a number"]) {
    assertStringIncludes(message, part);
  }
});

Deno.test("a set to the value in force makes no event", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  await result(console, set(fader, { fader: 99, label: "Anna" }));
  const stored = store.records.length;
  const { state } = console;
  console.watch(() => {
    throw new Error("nothing happened");
  });
  await result(console, set(fader, { fader: 10, label: "Anna" }));
  await result(console, set(`${fader}/fader`, 11));
  await result(console, set(`${fader}/params/gain/again/inc`, 0));
  assertEquals(store.records.length, stored);
  assert(console.state === state);
});

Deno.test("only the leaves that change are in the event", async () => {
  const console = await testConsole();
  const patches: unknown[] = [];
  console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
  await result(console, set(fader, { fader: -5, on: false, options: { autooffair: false } }));
  assertEquals(patches, [{ audio: { mixers: { 0: { faders: { 0: { fader: -5 } } } } } }]);
});

Deno.test("again/inc adds to again/value, within its bounds", async () => {
  const console = await testConsole();
  const again = `${fader}/params/gain/again`;
  const steps: [unknown, number][] = [
    [{ inc: 5 }, 5],
    [{ inc: -2.5 }, 2.5],
    [{ inc: -100 }, 0],
    [{ inc: 1e308 }, 70],
    [{ value: 10, inc: 5 }, 15],
    [{ inc: 5, value: 10 }, 15],
    [{ value: 20, inc: -5 }, 15],
    [{ value: 15, inc: 0 }, 15],
  ];
  for (const [written, value] of steps) {
    const answer = await result(console, set(again, written)) as Record<string, unknown>;
    assertEquals(valueAt(console, `${again}/value`), value);
    assertEquals(valueAt(console, `${again}/inc`), 0);
    if ("value" in answer) assertEquals(answer.value, value);
    assertEquals(answer.inc, 0);
  }
  assertEquals(await codeOf(console, set(`${again}/inc`, "1")), 3);
});

Deno.test("a route takes the id of a configured input or an empty text, and no other text", async () => {
  const console = await testConsole();
  const route = "/audio/routing/routes/1";
  assertEquals(valueAt(console, route), "1");
  for (const input of ["2", "", "1"]) assertEquals(await result(console, set(route, input)), input);
  for (const input of ["3", "01", " 1", "Programme", 3, 1.5]) {
    assertEquals(await codeOf(console, set(route, input)), 3);
  }
  assertEquals(valueAt(console, route), "1");
});

Deno.test("get answers the value that was set, and refuses an unknown path", async () => {
  const console = await testConsole();
  await result(console, set(`${fader}/fader`, -20));
  assertEquals(get(console, `${fader}/fader`), { value: -20 });
  const whole = get(console, "");
  assert("value" in whole && whole.value === console.state.tree);
  for (const path of ["/nowhere", "/__proto__", "/audio/constructor", `${fader}/label/length`]) {
    const { code, message } = refusal(get(console, path));
    assertEquals(code, 6, path);
    assertStringIncludes(message, path);
  }
});

/** A set of an automix group whose attenuations are 40 dB, and both attenuations after it. */
const twins: readonly (readonly [string, Record<string, number>, number])[] = [
  ["the name of today", { maxattenuation: 30 }, 30],
  ["the older name", { attmax: 20 }, 20],
  ["both names with one value", { maxattenuation: 10, attmax: 10 }, 10],
  ["both names, one with the value in force", { maxattenuation: 12, attmax: 40 }, 12],
  ["both names, one out of range", { maxattenuation: 40, attmax: 1000 }, 80],
];

for (const [what, written, expected] of twins) {
  Deno.test(`two names of one value always have one value: ${what}`, async () => {
    const console = await testConsole();
    const automix = "/audio/mixers/0/automix/1";
    const patches: unknown[] = [];
    console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
    const both = { maxattenuation: expected, attmax: expected };
    const answer = Object.keys(written).map((member) => [member, expected]);
    assertEquals(await result(console, set(automix, written)), Object.fromEntries(answer));
    assertEquals(patches, [{ audio: { mixers: { 0: { automix: { 1: both } } } } }]);
    const { maxattenuation, attmax } = valueAt(console, automix) as Branch;
    assertEquals([maxattenuation, attmax], [expected, expected]);
  });
}

Deno.test("a leaf that holds text takes a number as its JSON text", async () => {
  const console = await testConsole();
  assertEquals(await result(console, set("/audio/routing/routes/1", 2)), "2");
  assertEquals(await result(console, set(fader, { label: 5 })), { label: "5" });
  assertEquals(await result(console, set("/control/labels/1/label", -1.5e-7)), "-1.5e-7");
  assertEquals(valueAt(console, "/audio/routing/routes/1"), "2");
  assertEquals(valueAt(console, `${fader}/label`), "5");
});

Deno.test("a branch that older firmware knew as a leaf takes its bare value, alone and among other values", async () => {
  const console = await testConsole();
  const patches: unknown[] = [];
  console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
  assertEquals(await result(console, set("/control/logics/2", false)), false);
  assertEquals(valueAt(console, "/control/logics/2/value"), false);
  const many = { control: { logics: { 2: true } }, audio: { pots: { 1: -500 } } };
  assertEquals(await result(console, set("/", many)), {
    control: { logics: { 2: true } },
    audio: { pots: { 1: -80 } },
  });
  assertEquals(patches, [
    { control: { logics: { 2: { value: false } } } },
    { control: { logics: { 2: { value: true } } }, audio: { pots: { 1: { value: -80 } } } },
  ]);
  assertEquals(await result(console, set("/control/logics/2", { value: false })), { value: false });
  const label = {
    control: { logics: { 2: true } },
    audio: { mixers: { 0: { faders: { 0: { label: "A" } } } } },
  };
  assertEquals(await result(console, set("/", label)), label);
});
