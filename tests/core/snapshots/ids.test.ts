import { assertEquals } from "@std/assert";
import { isRefusal } from "../../../core/errors.ts";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { createConsole } from "../../../core/console.ts";
import { forgetful, stillClock, testConsole } from "../../service.ts";
import { actor, codeOf, keptText, resultOf } from "../actors.ts";
import { recordingStore } from "../stores.ts";
import { codeOfSetting, dataOf, saved } from "./saved.ts";

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

for (const id of strange) {
  Deno.test(`${JSON.stringify(id)} is the id of no snapshot`, async () => {
    const console = await testConsole();
    for (const mixer of [0, 1]) await saved(console, { id: "default", mixer });
    const admin = actor(console, "admin");
    const before = keptText(console);
    const what = { type: 2, id, writegroups: 1, readgroups: 0 } as const;
    const commands = [
      loadSnapshot({ id }),
      modifySnapshot({ id, name: "xx" }),
      removeSnapshot(id),
      ...(id === "" ? [] : [saveSnapshot(what)]),
    ];
    const codes: number[] = [];
    for (const command of commands) codes.push(await codeOf(console, command, admin));
    const got = await getSnapshot(console.state, { id }, admin);
    codes.push(isRefusal(got) ? got.code : 0);
    assertEquals(codes, codes.map(() => 6));
    assertEquals(keptText(console), before);
  });
}

Deno.test("the default snapshot of a mixer that is not configured does not exist", async () => {
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
    const got = await getSnapshot(console.state, { id: "default", mixer }, {});
    assertEquals(isRefusal(got) ? got.code : 0, 6);
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

Deno.test("modifysnapshot changes what is given and leaves the rest, also the content", async () => {
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

/** A console whose mixer snapshots have these numbers. */
async function withNumbers(numbers: Iterable<number>) {
  const console = await testConsole();
  const made = await saved(console, {});
  const given = console.state.snapshots.get(made)!;
  const snapshots = new Map(Array.from(numbers, (number) => {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    return [id, { ...given, id, number }] as const;
  }));
  const state = { ...console.state, snapshots };
  const parts = { clock: stillClock(), random: { bytes: makeBytes }, store: forgetful };
  return createConsole({ ...parts, state });
}

const makeBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const what = { type: 2, id: "", name: "New", writegroups: 1, readgroups: 0 } as const;

const lowest: readonly (readonly [string, readonly number[], number])[] = [
  ["none is taken", [], 1],
  ["the highest is taken", [65_535], 1],
  ["the highest and the first two are taken", [65_535, 1, 2], 3],
  ["one in between is free", [1, 2, 4], 3],
];

for (const [when, numbers, expected] of lowest) {
  Deno.test(`a snapshot made over RPC gets the lowest free SnapshotID where ${when}: ${expected}`, async () => {
    const console = await withNumbers(numbers);
    await resultOf(console, saveSnapshot(what), actor(console, "admin"));
    assertEquals([...console.state.snapshots.values()].at(-1)!.number, expected);
  });
}

Deno.test("where every SnapshotID is taken one more snapshot is refused (11), saved or set", async () => {
  const console = await withNumbers(Array.from({ length: 65_535 }, (_, at) => at + 1));
  const admin = actor(console, "admin");
  const other = await testConsole();
  const data = await dataOf(other, await saved(other, {}));
  const { state } = console;
  assertEquals(await codeOf(console, saveSnapshot(what), admin), 11);
  assertEquals(await codeOfSetting(console, data, admin), 11);
  assertEquals(console.state === state, true);
  const [id] = state.snapshots.keys();
  assertEquals(await codeOf(console, saveSnapshot({ ...what, id: id! }), admin), 0, "over one");
});
