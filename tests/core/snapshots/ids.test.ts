import { assertEquals } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { testConsole } from "../../service.ts";
import { actor, codeIn, codeOf, refusal, resultOf } from "../actors.ts";
import { recordingStore } from "../stores.ts";
import { saved } from "./saved.ts";

const strange = [
  "Default",
  "DEFAULT",
  "default/0",
  "default/1",
  "",
  " ",
  "0",
  "__proto__",
  "constructor",
  "00000000-0000-4000-8000-000000000000",
];

Deno.test("a text that is neither a UUID nor default is not the id of a snapshot", async () => {
  const console = await testConsole();
  for (const mixer of [0, 1]) await saved(console, { id: "default", mixer });
  const admin = actor(console, "admin");
  for (const id of strange) {
    const commands: readonly Command<unknown>[] = [
      loadSnapshot({ id }),
      modifySnapshot({ id, name: "xx" }),
      removeSnapshot(id),
      ...(id === "" ? [] : [saveSnapshot({ type: 2, id, writegroups: 1, readgroups: 0 })]),
    ];
    for (const command of commands) assertEquals(codeIn(console.state, command, admin), 6, id);
    assertEquals(refusal(await getSnapshot(console.state, { id }, admin)).code, 6, id);
  }
});

Deno.test("a mixer that is not configured has no default snapshot", async () => {
  const store = recordingStore();
  const before = await testConsole({
    store,
    configuration: { mixers: [1, 1].map((faders) => ({ faders })) },
  });
  await saved(before, { id: "default", mixer: 1 });
  const { records } = store;
  const console = await testConsole({ records, configuration: { mixers: [{ faders: 1 }] } });
  for (const mixer of [1, 7]) {
    assertEquals(await codeOf(console, loadSnapshot({ id: "default", mixer })), 6);
    assertEquals(refusal(await getSnapshot(console.state, { id: "default", mixer }, {})).code, 6);
  }
});

Deno.test("a snapshot needs the parameters of its type, and a target that is configured", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  const ids = {
    1: await saved(console, { type: 1, fader: 0 }),
    2: await saved(console, {}),
    3: await saved(console, { type: 3, fp: 0 }),
  };
  const table = [
    [1, {}, 3],
    [1, { fader: 8 }, 6],
    [1, { fader: 0, mixer: 2 }, 6],
    [1, { fader: 0, mixer: 1 }, 0],
    [2, { mixer: 2 }, 6],
    [2, { fader: 99, fp: 99 }, 0],
    [3, {}, 3],
    [3, { fp: 2 }, 6],
    [3, { fp: 1, mixer: 99 }, 0],
  ] as const;
  for (const [type, target, code] of table) {
    const what = { type, id: "", writegroups: 1, readgroups: 0, ...target };
    assertEquals(await codeOf(console, saveSnapshot(what), admin), code, JSON.stringify(what));
    const load = { id: ids[type], ...target };
    assertEquals(await codeOf(console, loadSnapshot(load), admin), code, JSON.stringify(load));
  }
});

Deno.test("a type that contradicts the snapshot's own is an error", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  const id = await saved(console, { type: 1, fader: 0 });
  const target = { mixer: 0, fader: 0, fp: 0 };
  const rights = { writegroups: 1, readgroups: 0 };
  for (const [type, code] of [[1, 0], [2, 3], [3, 3]] as const) {
    assertEquals(await codeOf(console, loadSnapshot({ id, type, ...target }), admin), code);
    const over = { id, type, ...target, ...rights };
    assertEquals(await codeOf(console, saveSnapshot(over), admin), code);
  }
  for (const [type, code] of [[1, 3], [2, 0], [3, 3]] as const) {
    const standard = { id: "default", type, ...target, ...rights };
    assertEquals(await codeOf(console, saveSnapshot(standard), admin), code);
    assertEquals(await codeOf(console, loadSnapshot(standard), admin), code);
  }
});

Deno.test("modifysnapshot changes the attributes that are given, and neither others nor the content", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  const id = await saved(console, { name: "Anna", writegroups: 3, readgroups: 4 });
  const of = () => {
    const { name, writegroups, readgroups } = console.state.snapshots.get(id)!;
    return { name, writegroups, readgroups };
  };
  const { content } = console.state.snapshots.get(id)!;
  await resultOf(console, modifySnapshot({ id, readgroups: 0 }), admin);
  assertEquals(of(), { name: "Anna", writegroups: 3, readgroups: 0 });
  await resultOf(console, modifySnapshot({ id, name: "Bert" }), admin);
  assertEquals(of(), { name: "Bert", writegroups: 3, readgroups: 0 });
  await resultOf(console, modifySnapshot({ id, writegroups: 128 }), admin);
  assertEquals(of(), { name: "Bert", writegroups: 128, readgroups: 0 });
  assertEquals(console.state.snapshots.get(id)!.content === content, true);
});
