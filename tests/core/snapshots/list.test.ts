import { assertEquals } from "@std/assert";
import { listSnapshots } from "../../../core/snapshots/getsnapshotlist.ts";
import { modifySnapshot } from "../../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { setSnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { findSnapshot } from "../../../core/snapshots/find.ts";
import { demoWith, testConsole } from "../../service.ts";
import { actor, codeIn, granted, refusal, resultOf } from "../actors.ts";
import type { Command } from "../../../core/command.ts";
import type { Console } from "../../../core/console.ts";
import type { Snapshots, SnapshotType } from "../../../core/snapshots/snapshot.ts";
import { dataOf, saved, verified } from "./saved.ts";

const names = (console: Console, type: SnapshotType, mixer = 0) =>
  granted(listSnapshots(console.state, type, mixer)).map(({ name }) => name);

Deno.test("an entry has factory, id, name, readgroups and writegroups, and the default is first", async () => {
  const console = await testConsole();
  const id = await saved(console, { name: "Morning", writegroups: 3, readgroups: 5 });
  assertEquals(granted(listSnapshots(console.state, 2)), [
    { factory: true, id: "default", name: "default", readgroups: 0, writegroups: 0 },
    {
      factory: true,
      id: "0f0c0002-0000-4000-8000-000000000001",
      name: "All closed",
      readgroups: 0,
      writegroups: 255,
    },
    { factory: false, id, name: "Morning", readgroups: 5, writegroups: 3 },
  ]);
});

Deno.test("the order is default, factory, then creation, also after a snapshot was overwritten or modified", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  const first = await saved(console, { name: "first" });
  const second = await saved(console, { name: "second" });
  await saved(console, { name: "third" });
  await saved(console, { id: "default" });
  const data = await dataOf(console, first);
  await resultOf(console, modifySnapshot({ id: first, name: "first again" }), admin);
  const over = { type: 2, id: second, writegroups: 1, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot(over), admin);
  assertEquals(names(console, 2), ["default", "All closed", "first again", "second", "third"]);
  await resultOf(console, setSnapshot(await verified(console, data)), admin);
  assertEquals(names(console, 2), ["default", "All closed", "first", "second", "third"]);
  await resultOf(console, removeSnapshot(first), admin);
  await resultOf(console, setSnapshot(await verified(console, data)), admin);
  assertEquals(names(console, 2), ["default", "All closed", "second", "third", "first"]);
});

Deno.test("type 2 lists the snapshots of the mixer, types 1 and 3 all of the device", async () => {
  const console = await testConsole();
  await saved(console, { name: "of 1", mixer: 1 });
  await saved(console, { name: "of 0" });
  await saved(console, { name: "channel", type: 1, mixer: 1, fader: 3 });
  await saved(console, { name: "processing", type: 3, fp: 1 });
  assertEquals(names(console, 2, 0), ["default", "All closed", "of 0"]);
  assertEquals(names(console, 2, 1), ["default", "of 1"]);
  for (const mixer of [0, 1, 7]) {
    assertEquals(names(console, 1, mixer), ["Speech", "channel"]);
    assertEquals(names(console, 3, mixer), ["Transparent", "processing"]);
  }
  assertEquals(refusal(listSnapshots(console.state, 2, 7)).code, 6);
});

Deno.test("a mixer snapshot from a console with more mixers is listed under mixer 0, or the first one", async () => {
  const large = await testConsole({
    configuration: { mixers: [1, 1, 1].map((faders) => ({ faders })) },
  });
  const data = await dataOf(large, await saved(large, { mixer: 2, name: "of 2" }));
  const console = await testConsole();
  await resultOf(console, setSnapshot(await verified(console, data)), actor(console, "admin"));
  assertEquals(names(console, 2, 0), ["default", "All closed", "of 2"]);
  assertEquals(names(console, 2, 1), ["default"]);
  for (const [ids, under] of [[[4, 3], 4], [[3, 0], 0]] as const) {
    const other = await testConsole({
      configuration: { mixers: ids.map((id) => ({ id, faders: 1 })) },
    });
    await resultOf(other, setSnapshot(await verified(other, data)), actor(other, "admin"));
    assertEquals(ids.filter((id) => names(other, 2, id).includes("of 2")), [under]);
  }
});

const numbersOf = (console: Console, type: SnapshotType) =>
  [...console.state.snapshots.values()]
    .filter((snapshot) => snapshot.type === type && snapshot.id !== "default")
    .map(({ number }) => number);

Deno.test("a new snapshot has the lowest free SnapshotID of its type", async () => {
  const console = await testConsole();
  const removed = await saved(console, {});
  await saved(console, {});
  await saved(console, { type: 1, fader: 0 });
  await saved(console, { id: "default" });
  assertEquals([1, 2, 3].map((type) => numbersOf(console, type as SnapshotType)), [
    [1, 2],
    [1, 2, 3],
    [1],
  ]);
  await resultOf(console, removeSnapshot(removed), actor(console, "admin"));
  await saved(console, { mixer: 1 });
  assertEquals(numbersOf(console, 2), [1, 3, 2]);
});

Deno.test("an overwritten snapshot keeps its UUID, its SnapshotID, and its name if no name is given", async () => {
  const console = await testConsole();
  const id = await saved(console, { type: 1, fader: 0, name: "Anna" });
  await saved(console, { type: 1, fader: 1, id: id.toUpperCase(), name: undefined });
  const { number, name } = granted(findSnapshot(console.state, id));
  assertEquals([number, name, numbersOf(console, 1)], [2, "Anna", [1, 2]]);
});

Deno.test("a SnapshotID is at most 65535: where all are in use, no snapshot of that type can be made", async () => {
  const limits = { snapshots: 70_000, stateBytes: 2 ** 30 };
  const console = await testConsole({ configuration: demoWith({ limits }) });
  const id = await saved(console, { type: 1, fader: 0 });
  const other = await testConsole();
  const data = await dataOf(other, await saved(other, { type: 1, fader: 0 }));
  const snapshot = console.state.snapshots.get(id)!;
  const full = new Map(console.state.snapshots);
  for (let number = 1; number <= 65_535; number++) full.set(`${number}`, { ...snapshot, number });
  const admin = actor(console, "admin");
  const code = (command: Command<unknown>, snapshots: Snapshots) =>
    codeIn({ ...console.state, snapshots }, command, admin);
  const what = { fader: 0, fp: 0, id: "", writegroups: 1, readgroups: 0 };
  assertEquals(code(saveSnapshot({ ...what, type: 1 }), full), 11);
  assertEquals(code(setSnapshot(await verified(console, data)), full), 11);
  assertEquals(code(saveSnapshot({ ...what, type: 1, id }), full), 0);
  assertEquals(code(saveSnapshot({ ...what, type: 2 }), full), 0);
  full.delete("65535");
  assertEquals(code(saveSnapshot({ ...what, type: 1 }), full), 0);
});

Deno.test("the default name of a snapshot is the local time, YYYY-MM-DD HH:MM:SS", async () => {
  const now = new Date(2026, 0, 2, 3, 4, 5, 678).getTime();
  const clock = { now: () => now, monotonic: () => 0 };
  const console = await testConsole({ clock });
  await saved(console, { name: undefined });
  assertEquals(names(console, 2).at(-1), "2026-01-02 03:04:05");
});

Deno.test("a new snapshot has a UUID of version 4, different from all others", async () => {
  const console = await testConsole(
    { configuration: demoWith({ factorySnapshots: [] }) },
  );
  for (let made = 0; made < 20; made++) await saved(console, {});
  const ids = [...console.state.snapshots.keys()];
  assertEquals(new Set(ids).size, 20);
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assertEquals(ids.filter((id) => !uuid.test(id)), []);
});
