import { assertEquals } from "@std/assert";
import { joinEngine, silence } from "../../core/engine.ts";
import type { Patch } from "../../core/tree/tree.ts";
import { get } from "../../core/tree/get.ts";
import { set } from "../../core/tree/set.ts";
import { result, testConsole } from "../service.ts";
import { granted, restoring, valueAt } from "./actors.ts";
import { recordingStore, stagedStore } from "./stores.ts";

const fader = "/audio/mixers/0/faders/0";
const ofFader = (members: Patch) => ({ audio: { mixers: { 0: { faders: { 0: members } } } } });

async function joined(store = recordingStore()) {
  const console = await testConsole({ store });
  const applied: Patch[] = [];
  let report: (patch: Patch) => void = () => {};
  joinEngine(console, {
    apply: (patch) => applied.push(patch),
    start: (given) => report = given,
  });
  return { console, applied, store, report: (patch: unknown) => report(patch as Patch) };
}

Deno.test("an engine is told of every change, once it is in force", async () => {
  const store = stagedStore();
  const { console, applied } = await joined(store);
  store.hold();
  const outcome = console.dispatch(set(`${fader}/fader`, -20), {});
  assertEquals(applied, []);
  await store.land();
  assertEquals([await outcome, applied], [{ result: -20 }, [ofFader({ fader: -20 })]]);
});

Deno.test("an engine reports meters, which are shown and never stored", async () => {
  const { console, report, store } = await joined();
  const stored = store.records.length;
  report(ofFader({ meter: { _input: [-20, -21.5] }, params: { agc: { _gainreduction: -3 } } }));
  report({ audio: { levels: { 1: { _left: -9 } } } });
  assertEquals(valueAt(console, `${fader}/meter/_input`), [-20, -21.5]);
  assertEquals(valueAt(console, `${fader}/meter/_pfl`), [-125, -125]);
  assertEquals(valueAt(console, `${fader}/params/agc/_gainreduction`), -3);
  assertEquals(valueAt(console, "/audio/levels/1/_left"), -9);
  assertEquals(store.records.length, stored);
});

/** Reports that change nothing. */
const ignored: readonly (readonly [string, unknown])[] = [
  ["a value that clients write", ofFader({ fader: 0, on: true })],
  ["an unknown member", ofFader({ _nothing: 1 })],
  ["a fader that is not configured", {
    audio: { mixers: { 0: { faders: { 99: { _readystate: true } } } } },
  }],
  ["text for a number", { audio: { levels: { 1: { _left: "loud" } } } }],
  ["a number for a list", ofFader({ meter: { _input: 0 } })],
  ["an object for a value", ofFader({ _readystate: { x: 1 } })],
  ["a value for an object", ofFader({ meter: 1 })],
  ["a list of texts for a meter", ofFader({ meter: { _input: ["a", "b"] } })],
  ["the page of an external list", { control: { extlists: { 1: { _page: 3 } } } }],
  ["NaN", { audio: { levels: { 1: { _left: NaN } } } }],
  ["__proto__", JSON.parse('{"__proto__":{"_polluted":1},"constructor":{"_x":1}}')],
  ["the value in force", { audio: { levels: { 1: { _left: -125 } } } }],
  ["the meter values in force", ofFader({ meter: { _input: [-125, -125] } })],
];

for (const [what, patch] of ignored) {
  Deno.test(`a report does not change the tree with ${what}`, async () => {
    const { console, report, applied } = await joined();
    const before = console.state;
    report(patch);
    assertEquals([console.state === before, applied], [true, []]);
  });
}

Deno.test("the meters of a report are one event, its other values another", async () => {
  const { console, report } = await joined();
  const events: unknown[] = [];
  console.watch((event) => events.push(event));
  const meter = { _input: [-20, -21.5] };
  report(ofFader({ meter, _readystate: false }));
  assertEquals(events, [
    { type: "treechanged", patch: ofFader({ _readystate: false }) },
    { type: "treechanged", ofMeters: true, patch: ofFader({ meter }) },
  ]);
});

Deno.test("the engine refreshes its meters before a get that reads meters, and before no other", async () => {
  const console = await testConsole();
  let report: (patch: Patch) => void = () => {};
  let level = -60;
  joinEngine(console, {
    apply() {},
    start: (given) => report = given,
    refresh: () => report({ audio: { levels: { 1: { _left: level++ } } } }),
  });
  const read = (path: string) => granted(get(console, path)).value;
  const { _left } = read("/audio/levels/1") as { _left: number };
  assertEquals([_left, read("audio/levels/1/_left")], [-60, -59]);
  for (const path of ["/general", `${fader}/on`, "/control", "/audio/pots"]) read(path);
  assertEquals(level, -58);
  read("/");
  assertEquals(level, -57);
});

Deno.test("without an engine all meters stay at -125 dB", async () => {
  const console = await testConsole();
  const { tree } = console.state;
  joinEngine(console, silence);
  assertEquals(console.state.tree === tree, true);
  await result(console, set(`${fader}/on`, true));
  assertEquals(valueAt(console, `${fader}/meter/_input`), [-125, -125]);
});

Deno.test("a report during the restore of a configuration is applied once the configuration is in force", async () => {
  const store = stagedStore();
  const { console, report } = await joined(store);
  store.hold();
  const configuration = { mixers: [{ faders: 12 }] };
  const restored = console.dispatch(
    restoring(console.state, { configuration, settings: {}, snapshots: {} }),
    {},
  );
  const faders = (at: number) => ({
    audio: { mixers: { 0: { faders: { [at]: { _readystate: false } } } } },
  });
  report(faders(10));
  assertEquals(Object.keys(valueAt(console, "/audio/mixers/0/faders")).length, 8);
  await store.land();
  await restored;
  assertEquals(valueAt(console, "/audio/mixers/0/faders/10/_readystate"), false);
  assertEquals(valueAt(console, "/audio/mixers/0/faders/9/_readystate"), true);
});
