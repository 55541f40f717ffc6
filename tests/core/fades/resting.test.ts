import { movingCount } from "../../../core/fades/unsynced.ts";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import { loadNumbered } from "../../../core/snapshots/numbered.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { type SaveSnapshot, saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { resultOf } from "../actors.ts";
import { checkpointOf, settled } from "../stores.ts";
import { editor, levelOf, type SimulatedConsole, simulatedConsole } from "./simulated-console.ts";

Deno.test("nothing is stored while a fader moves; its resting level is stored once, when the fade ends", async () => {
  const { fade, restingLevel, store, time } = simulatedConsole();
  const rested = restingLevel();
  await fade({ value: -10, seconds: 30 });
  for (const ms of [20, 5000, 29_980]) {
    time.runTo(ms);
    await settled();
    assertEquals([store.records.length, restingLevel()], [0, rested]);
  }
  time.runTo(30_000);
  await settled();
  assertEquals([store.records.length, restingLevel()], [1, -10]);
  time.runTo(60_000);
  await settled();
  assertEquals(store.records.length, 1);
});

Deno.test("faders that come to rest in one tick are one record", async () => {
  const { fade, restingLevel, store, time } = simulatedConsole();
  for (let fader = 0; fader < 8; fader++) await fade({ fader, value: -fader, seconds: 0.1 });
  time.runTo(100);
  await settled();
  assertEquals(store.records.length, 1);
  for (let fader = 0; fader < 8; fader++) assertEquals(restingLevel(fader), -fader);
});

Deno.test("a fade that is replaced leaves one record, of the level that it had reached", async () => {
  const { fade, level, restingLevel, store, time } = simulatedConsole();
  await fade({ value: 0, seconds: 1 });
  time.runTo(400);
  const passed = level();
  await fade({ value: -160, seconds: 1 });
  await settled();
  assertEquals([store.records.length, restingLevel()], [1, passed]);
  time.runTo(1380);
  await settled();
  assertEquals([store.records.length, restingLevel()], [1, passed]);
  time.runTo(1400);
  await settled();
  assertEquals([store.records.length, restingLevel()], [2, -160]);
});

/** Commands that end a fade, each made before the fade begins, and the level after it in dB. */
const endings: readonly (readonly [
  string,
  (simulated: SimulatedConsole) => Command<unknown> | Promise<Command<unknown>>,
  number,
])[] = [
  ["a set of the level", () => set(levelOf(), -30), -30],
  [
    "a set of a branch above it",
    () => set("/audio/mixers", { 0: { faders: { 0: { fader: -30 } } } }),
    -30,
  ],
  ["a set beyond the range, bounded", () => set(levelOf(), 99), 10],
  ["loadsnapshot of a channel", (simulated) => saved(simulated, { type: 1, fader: 0 }), -40],
  ["loadsnapshot of the mixer", (simulated) => saved(simulated, { type: 2 }), -40],
  ["loadsnapshot of the default snapshot", async ({ console }) => {
    await resultOf(console, saveSnapshot({ ...attributes, type: 2, id: "default" }), editor);
    return loadSnapshot({ id: "default", mixer: 0 });
  }, -40],
  ["loadmx", async (simulated) => {
    await saved(simulated, { type: 2 });
    return loadNumbered({ type: 2, number: 1 }, { mixer: 0 });
  }, -40],
];

const attributes = { id: "", mixer: 0, writegroups: 255, readgroups: 0 };

async function saved(
  { console }: SimulatedConsole,
  what: Pick<SaveSnapshot, "type" | "fader">,
): Promise<Command<unknown>> {
  await resultOf(console, saveSnapshot({ ...attributes, ...what }), editor);
  const [{ id } = { id: "none" }] = console.state.snapshots.values();
  return loadSnapshot({ id, ...what });
}

for (const [name, prepare, left] of endings) {
  Deno.test(`${name} ends the fade: one record, and no step after it`, async () => {
    const simulated = simulatedConsole();
    const { changes, console, fade, level, restingLevel, store, time } = simulated;
    await resultOf(console, set(levelOf(), -40));
    const command = await prepare(simulated);
    await fade({ value: 0, seconds: 1 });
    time.runTo(500);
    assertNotEquals(level(), left);
    const recordsBefore = store.records.length;
    await resultOf(console, command, editor);
    await settled();
    const changesBefore = changes.length;
    time.runTo(5000);
    await settled();
    assertEquals([level(), restingLevel()], [left, left]);
    assertEquals(changes.length, changesBefore);
    assertEquals(store.records.length, recordsBefore + 1);
    assertEquals([time.pending(), movingCount(console.state.unsynced)], [0, 0]);
  });

  Deno.test(`${name} ends the fade also with the very level that the fader passes`, async () => {
    const simulated = simulatedConsole();
    const { console, fade, level, restingLevel, store, time } = simulated;
    await resultOf(console, set(levelOf(), -40));
    const command = await prepare(simulated);
    await resultOf(console, set(levelOf(), 0));
    await fade({ value: left, seconds: 0.2 });
    time.runTo(200);
    await settled();
    await fade({ value: left, seconds: 1 });
    await settled();
    time.runTo(700);
    assertEquals(level(), left);
    const recordsBefore = store.records.length;
    await resultOf(console, command, editor);
    assertEquals([movingCount(console.state.unsynced), time.pending()], [0, 0]);
    assertEquals(store.records.length, recordsBefore + 1);
    assertEquals(restingLevel(), left);
  });
}

Deno.test("loading a snapshot on another mixer leaves the fades of this one", async () => {
  const simulated = simulatedConsole();
  const { console, fade, level, time } = simulated;
  await saved(simulated, { type: 2 });
  await fade({ value: -10, seconds: 1 });
  time.runTo(400);
  await resultOf(console, loadNumbered({ type: 2, number: 1 }, { mixer: 1 }), editor);
  time.runTo(1000);
  assertEquals(level(), -10);
});

Deno.test("a stop of the service stores the levels that the fades have reached, in one record", async () => {
  const { changes, console, fade, level, fadeDriver, restingLevel, store, time } =
    simulatedConsole();
  for (const fader of [0, 1]) await fade({ fader, value: -10 * fader, seconds: 1 });
  time.runTo(400);
  const passed = [level(0), level(1)];
  const changesBefore = changes.length;
  await fadeDriver.stop();
  assertEquals([restingLevel(0), restingLevel(1)], passed);
  assertEquals([store.records.length, time.pending(), movingCount(console.state.unsynced)], [
    1,
    0,
    0,
  ]);
  time.runTo(5000);
  assertEquals([level(0), level(1), changes.length], [...passed, changesBefore]);
});

Deno.test("a checkpoint in the middle of a fade holds the last resting value", async () => {
  const { console, fade, level, restingLevel, time } = simulatedConsole();
  await resultOf(console, set(levelOf(), -40));
  await fade({ value: 0, seconds: 1 });
  await fade({ fader: 1, value: -7, seconds: 0.1 });
  time.runTo(400);
  await settled();
  const replaced = level();
  await fade({ value: 10, seconds: 1 });
  await settled();
  time.runTo(800);
  const records = checkpointOf(console.state);
  assert(level() > replaced);
  assertEquals([0, 1].map((fader) => restingLevel(fader, 0, records)), [replaced, -7]);
});
