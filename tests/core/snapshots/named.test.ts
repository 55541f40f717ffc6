import { assertEquals, assertMatch } from "@std/assert";
import { isRefusal } from "../../../core/errors.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { demoWith, result, testConsole } from "../../service.ts";
import { actor, resultOf, valueAt } from "../actors.ts";
import { saved } from "./saved.ts";

const fader = "/audio/mixers/0/faders/0/fader";
const save = { type: 2, id: "named", writegroups: 1, readgroups: 0 } as const;

Deno.test("a save by name makes a snapshot or overwrites that of the same name, and a load by name loads it", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  const count = () => console.state.snapshots.size;
  const before = count();
  for (const level of [-20, -30]) {
    await result(console, set(fader, level));
    assertEquals(await console.dispatch(saveSnapshot({ ...save, name: "Evening" }), admin), {
      result: {},
    });
  }
  assertEquals(count(), before + 1);
  await result(console, set(fader, 0));
  const loaded = await console.dispatch(loadSnapshot({ id: "named", name: "Evening" }), admin);
  assertEquals([isRefusal(loaded), valueAt(console, fader)], [false, -30]);
});

Deno.test("each mixer has its own snapshot of a name, and one without loads the only one of another", async () => {
  const console = await testConsole({
    configuration: { mixers: [{ faders: 1 }, { faders: 1 }] },
  });
  const admin = actor(console, "admin");
  const levels = [-20, -30];
  for (const [mixer, level] of levels.entries()) {
    await result(console, set(`/audio/mixers/${mixer}/faders/0/fader`, level));
    await resultOf(console, saveSnapshot({ ...save, mixer, name: "Morning" }), admin);
  }
  await resultOf(console, saveSnapshot({ ...save, mixer: 1, name: "Night" }), admin);
  const mixersOf = (called: string) =>
    [...console.state.snapshots.values()].filter(({ name }) => name === called)
      .map(({ mixer }) => mixer);
  assertEquals([mixersOf("Morning"), mixersOf("Night")], [[0, 1], [1]]);
  await result(
    console,
    set("/audio/mixers", {
      0: { faders: { 0: { fader: 0 } } },
      1: { faders: { 0: { fader: 0 } } },
    }),
  );
  const load = (mixer: number, name: string) =>
    resultOf(console, loadSnapshot({ id: "named", name, mixer }), admin);
  const level = (mixer: number) => valueAt(console, `/audio/mixers/${mixer}/faders/0/fader`);
  for (const mixer of [0, 1]) await load(mixer, "Morning");
  assertEquals([level(0), level(1)], levels);
  await load(0, "Night");
  assertEquals(level(0), -30);
});

Deno.test("a factory snapshot is found by its name in any Unicode form of the configuration", async () => {
  const id = "0f0c0001-0000-4000-8000-0000000000aa";
  const name = "Café".normalize("NFD");
  const cafe = { id, type: 2, name, content: { faders: { 0: { fader: -20 } } } } as const;
  const console = await testConsole({ configuration: demoWith({ factorySnapshots: [cafe] }) });
  await result(console, loadSnapshot({ id: "named", name: name.normalize("NFC") }));
  assertEquals(valueAt(console, fader), -20);
});

Deno.test("an empty name, an unknown name and a name of several snapshots are refused", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  for (let count = 0; count < 2; count++) {
    await saved(console, { type: 2, mixer: 0, name: "Twice" });
  }
  const asked = async (command: Parameters<typeof console.dispatch>[0]) => {
    const outcome = await console.dispatch(command, admin);
    return isRefusal(outcome) ? outcome.message : "done";
  };
  const cases = [
    [loadSnapshot({ id: "named", name: "Nobody" }), /^name: there is no snapshot called "Nobody"/],
    [loadSnapshot({ id: "named", name: "Twice", type: 1 }), /^name: there is no snapshot/],
    [loadSnapshot({ id: "named", name: "Twice" }), /^name: 2 snapshots are called "Twice"/],
    [saveSnapshot({ ...save, name: "Twice" }), /^name: 2 snapshots are called "Twice"/],
    [loadSnapshot({ id: "named" }), /^name: expected the name of a snapshot/],
    [saveSnapshot(save), /^name: expected the name of a snapshot/],
  ] as const;
  for (const [command, expected] of cases) assertMatch(await asked(command), expected);
});
