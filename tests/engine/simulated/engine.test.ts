/** The times at which a simulated engine computes and reports meters. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { joinEngine } from "../../../core/engine.ts";
import { get } from "../../../core/tree/get.ts";
import { set } from "../../../core/tree/set.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { createSimulatedEngine } from "../../../engine/simulated/engine.ts";
import { granted } from "../../core/actors.ts";
import { recordingStore } from "../../core/stores.ts";
import { result, testConsole } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { CHANNEL, mixerOf, TONE } from "./desk.ts";

/** A console with an engine; `reads` is the number of times that the engine read the tree. */
async function joined(hasSubscribers = false) {
  const { timer, pass } = passingTime();
  const store = recordingStore();
  const configuration = { mixers: mixerOf(CHANNEL.music, CHANNEL.tone), levels: [{ id: 1 }] };
  const console = await testConsole({ configuration, store });
  const reports: number[] = [];
  const seen = { hasSubscribers, reads: 0, reports, stored: store.records.length, store };
  const tree = () => {
    seen.reads++;
    return console.state.tree;
  };
  console.watch((event) => {
    if (event.type === "treechanged" && event.ofMeters) reports.push(timer.monotonic());
  });
  joinEngine(
    console,
    createSimulatedEngine({ seed: 1, timer, tree, hasSubscribers: () => seen.hasSubscribers }),
  );
  seen.reads = 0;
  return { console, pass, seen, read: (path: string) => granted(get(console, path)).value };
}

const input = "/audio/mixers/0/faders/1/meter/_input";

Deno.test("while meters are subscribed to they are reported 25 times a second, and never stored", async () => {
  const { pass, seen } = await joined(true);
  pass(200);
  seen.reports.length = 0;
  pass(1000);
  assertEquals(seen.reports.length, 25);
  assertEquals(seen.reports.slice(0, 3), [240, 280, 320]);
  assertEquals(seen.store.records.length, seen.stored);
});

Deno.test("without a subscription to meters no meter is computed", async () => {
  const { pass, seen } = await joined();
  pass(60_000);
  assertEquals([seen.reads, seen.reports], [0, []]);
});

Deno.test("reports begin within 200 ms of the first subscription to meters, and end with the last", async () => {
  const { pass, seen } = await joined();
  pass(60_010);
  seen.hasSubscribers = true;
  pass(190);
  assertEquals(seen.reports, [60_200]);
  pass(400);
  assertEquals(seen.reports.length, 11);
  seen.hasSubscribers = false;
  pass(60_000);
  assertEquals(seen.reports.length, 11);
});

Deno.test("a get of meters answers their present value, also without a subscription", async () => {
  const { pass, seen, read, console } = await joined();
  assertEquals(read(input), [TONE, TONE]);
  pass(10_000);
  await result(console, set("/audio/mixers/0/faders/1", { on: true, fader: -2 }));
  assertEquals(read("/audio/levels/1/_left"), TONE - 2);
  assertEquals(seen.reads, 2);
  const music = "/audio/mixers/0/faders/0/meter/_input";
  const levels = new Set();
  for (let count = 0; count < 20; count++) {
    pass(40);
    levels.add((read(music) as number[])[0]);
  }
  assert(levels.size > 15, `${levels.size} levels`);
});

Deno.test("a meter without a subscription falls with time as well, and a get answers the fallen value", async () => {
  const { pass, read, console } = await joined();
  const after = "/audio/mixers/0/faders/1/meter/_afl";
  const set1 = (fader: number) =>
    result(console, set("/audio/mixers/0/faders/1", { on: true, fader }));
  await set1(0);
  assertEquals(read(after), [TONE, TONE]);
  await set1(-160);
  pass(5000);
  const [left] = read(after) as number[];
  assertAlmostEquals(left!, TONE - 5 * 20 / 1.7, 0.1);
  await set1(0);
  pass(1000);
  assertEquals(read(after), [TONE, TONE]);
  await set1(-160);
  pass(9400);
  assertEquals(read(after), [-125, -125]);
});

Deno.test("meters are computed at most 25 times a second, however often they are read", async () => {
  const { pass, seen, read } = await joined(true);
  pass(400);
  const before = seen.reads;
  for (let ms = 0; ms < 1000; ms++) {
    pass(1);
    read("/audio");
  }
  assertEquals(seen.reads - before, 25);
});

Deno.test("a get of a branch without meters does not compute them", async () => {
  const { pass, seen, read } = await joined();
  pass(1000);
  for (const path of ["/general", "/control", "/audio/mixers/0/faders/1/fader", "/audio/pots"]) {
    read(path);
  }
  assertEquals(seen.reads, 0);
  read("/");
  assertEquals(seen.reads, 1);
});

Deno.test("while the engine runs every fader is ready", async () => {
  const configuration = { mixers: mixerOf(CHANNEL.tone, CHANNEL.voice) };
  const console = await testConsole({ configuration });
  const { timer } = passingTime();
  const readiness = (_readystate: boolean) => ({
    audio: { mixers: { 0: { faders: { 0: { _readystate }, 1: { _readystate } } } } },
  });
  joinEngine(console, { apply() {}, start: (report) => report(readiness(false)) });
  const options = { seed: 1, timer, tree: () => console.state.tree, hasSubscribers: () => false };
  joinEngine(console, createSimulatedEngine(options));
  const faders = granted(get(console, "/audio/mixers/0/faders")).value as Branch;
  assertEquals(Object.values(faders).map((fader) => (fader as Branch)._readystate), [true, true]);
});
