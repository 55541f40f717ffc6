/** `control/extlists`: external lists in the control tree (decisions.md, "RPC"). */
import { assert, assertEquals } from "@std/assert";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import type { Command } from "../../../core/command.ts";
import type { Console } from "../../../core/console.ts";
import { pressList } from "../../../core/lists/pressextlist.ts";
import {
  closeConnection,
  registerList,
  unregisterList,
} from "../../../core/lists/registerextlist.ts";
import { setList } from "../../../core/lists/setextlist.ts";
import { get } from "../../../core/tree/get.ts";
import { set } from "../../../core/tree/set.ts";
import { demoWith, testConsole } from "../../service.ts";
import { codeOf, keptText, refusal, restoring, resultOf, valueAt } from "../actors.ts";
import { checkpointOf, recordingStore, stagedStore } from "../stores.ts";

const LIST = "/control/extlists/1";
const lists = [{ id: 1, name: "Lines", pageSize: 2 }, { id: 2 }];
const configuration = demoWith({ lists });

const entries = [
  { label: "A", color: "ff0000", background: true },
  { label: "B", pagination: true },
  { label: "C", disabled: true },
  { label: "D" },
  { label: "E" },
];
const shown = [
  { label: "A", color: "ff0000", background: true, _page: 0, _on: false },
  { label: "B", pagination: true, _page: 0, _on: false },
  { label: "C", disabled: true, _page: 1, _on: false },
  { label: "D", _page: 1, _on: false },
  { label: "E", _page: 2, _on: false },
];
const other = [{ label: "Other" }];
const absent = { _name: "Lines", _exists: false, _entries: [], _page: 0, _subscribers: 0 };

const ofLists = (patches: object) => ({ control: { extlists: patches } });

/** Returns the command for an action of connection `by` on list 1. */
function command(action: string, by: number, number: number): Command<unknown> {
  const given: Readonly<Record<string, () => Command<unknown>>> = {
    register: () => registerList(1),
    unregister: () => unregisterList(1),
    set: () => setList({ list: 1, entries }),
    page: () => setList({ list: 1, entries: structuredClone(entries), select: number }),
    other: () => setList({ list: 1, entries: other }),
    none: () => setList({ list: 1, entries: [] }),
    press: () => pressList({ list: 1, entry: number, on: 1 }),
    release: () => pressList({ list: 1, entry: number, on: 0 }),
    close: () => closeConnection(by),
  };
  return given[action]!();
}

/** Carries out a step: "2 press 3": connection 2 presses entry 3. */
async function carryOut(console: Console, step: string): Promise<void> {
  const [by, action, number] = step.split(" ");
  await resultOf(console, command(action!, Number(by), Number(number)), { connection: Number(by) });
}

/** Actions, and the change of the tree by the last of them; undefined where it makes none. */
const changes: readonly (readonly [string, unknown])[] = [
  ["1 register", { _exists: true, _subscribers: 1 }],
  ["1 register, 2 register", { _subscribers: 2 }],
  ["1 register, 1 register", undefined],
  ["1 register, 2 set", { _entries: shown }],
  ["1 register, 1 none", undefined],
  ["1 register, 1 set, 2 page 0", undefined],
  ["1 register, 1 set, 1 page 1", { _page: 1 }],
  ["1 register, 1 set, 1 page 9", { _page: 2 }],
  ["1 register, 1 page 2, 1 other", {
    _entries: [{ label: "Other", _page: 0, _on: false }],
    _page: 0,
  }],
  ["1 register, 1 set, 2 press 3", { _entries: { 3: { _on: true } } }],
  ["1 register, 1 set, 2 press 3, 2 press 3", undefined],
  ["1 register, 1 set, 2 press 3, 1 press 3", undefined],
  ["1 register, 1 set, 2 press 3, 1 press 3, 2 release 3", undefined],
  ["1 register, 1 set, 2 press 3, 2 release 3", { _entries: { 3: { _on: false } } }],
  ["1 register, 1 set, 2 release 3", undefined],
  ["1 register, 1 set, 1 press 0, 2 press 3, 2 page 1", {
    _entries: { 0: { _on: false }, 3: { _on: false } },
    _page: 1,
  }],
  ["1 register, 1 set, 1 press 0, 1 other", {
    _entries: [{ label: "Other", _page: 0, _on: false }],
  }],
  ["1 register, 1 set, 2 press 3, 2 close", { _entries: { 3: { _on: false } } }],
  ["1 register, 2 register, 1 set, 2 press 3, 2 close", {
    _subscribers: 1,
    _entries: { 3: { _on: false } },
  }],
  ["1 register, 2 register, 1 unregister", { _subscribers: 1 }],
  ["1 register, 1 page 2, 2 press 3, 1 unregister", {
    _exists: false,
    _entries: [],
    _page: 0,
    _subscribers: 0,
  }],
  ["1 register, 1 set, 1 press 3, 1 close", { _exists: false, _entries: [], _subscribers: 0 }],
  ["1 register, 1 none, 1 close", { _exists: false, _subscribers: 0 }],
  ["1 register, 1 set, 2 close", undefined],
];

for (const [happens, expected] of changes) {
  Deno.test(`control/extlists after ${happens}: ${expected ? "one change" : "none"}`, async () => {
    const console = await testConsole({ configuration });
    const steps = happens.split(", ");
    for (const step of steps.slice(0, -1)) await carryOut(console, step);
    const patches: unknown[] = [];
    console.watch((event) => event.type === "treechanged" && patches.push(event.patch));
    await carryOut(console, steps.at(-1)!);
    assertEquals(patches, expected === undefined ? [] : [ofLists({ 1: expected })]);
  });
}

Deno.test("the branch of a list has its entries, the page shown, and the buttons that are held down", async () => {
  const console = await testConsole({ configuration });
  assertEquals(valueAt(console, LIST), absent);
  for (const step of ["1 register", "2 register", "3 page 2", "3 press 1"]) {
    await carryOut(console, step);
  }
  const pressed = shown.with(1, { ...shown[1]!, _on: true });
  const full = { _name: "Lines", _exists: true, _entries: pressed, _page: 2, _subscribers: 2 };
  assertEquals(valueAt(console, LIST), full);
  assertEquals(valueAt(console, "/control/extlists/2"), { ...absent, _name: "List 2" });
  for (const step of ["1 close", "2 unregister"]) await carryOut(console, step);
  assertEquals(valueAt(console, LIST), absent);
});

Deno.test("a connection that closes changes all its lists in one event", async () => {
  const console = await testConsole({ configuration });
  for (const list of [1, 2]) await resultOf(console, registerList(list), { connection: 1 });
  const patches: unknown[] = [];
  console.watch((event) => event.type === "treechanged" && patches.push(event.patch));
  await resultOf(console, closeConnection(1));
  const gone = { _exists: false, _subscribers: 0 };
  assertEquals(patches, [ofLists({ 1: gone, 2: gone })]);
});

Deno.test("a press makes a new object for the pressed entry, and for no other entry of the list", async () => {
  const console = await testConsole({ configuration });
  const many = Array.from({ length: 1000 }, (_, at) => ({ label: `${at}`.padEnd(128, "€") }));
  await carryOut(console, "1 register");
  await resultOf(console, setList({ list: 1, entries: many }), { connection: 1 });
  const before = valueAt(console, `${LIST}/_entries`) as readonly unknown[];
  let patch: unknown;
  console.watch((event) => event.type === "treechanged" && (patch = event.patch));
  await carryOut(console, "1 press 999");
  const after = valueAt(console, `${LIST}/_entries`) as readonly unknown[];
  assertEquals(after.filter((entry, at) => entry !== before[at]).length, 1);
  assertEquals(patch, ofLists({ 1: { _entries: { 999: { _on: true } } } }));
});

/** Writes, each of which is refused as read-only. */
const writes: readonly (readonly [string, unknown])[] = [
  [`${LIST}/_page`, 1],
  [`${LIST}/_entries`, []],
  [`${LIST}/_entries/0`, { label: "X" }],
  [`${LIST}/_entries/0/_on`, true],
  [`${LIST}/_entries/0/label`, "X"],
  [LIST, { _exists: false }],
  ["/control/extlists", { 1: { _page: 1 } }],
  ["/control", { labels: { 1: { label: "New" } }, extlists: { 1: { _page: 1 } } }],
];

for (const [path, value] of writes) {
  Deno.test(`lists are read-only: ${path} ${JSON.stringify(value)}`, async () => {
    const console = await testConsole({ configuration });
    for (const step of ["1 register", "1 set"]) await carryOut(console, step);
    const before = console.state;
    assertEquals(await codeOf(console, set(path, value)), 7);
    assert(console.state === before);
  });
}

Deno.test("without license 52-8583 there is no branch extlists, and a path in it is refused with error code 9", async () => {
  const console = await testConsole({ configuration: { ...configuration, licenses: ["52-8577"] } });
  assertEquals(Object.keys(valueAt(console, "/control")), ["labels", "logics", "gpis", "gpos"]);
  for (const path of ["/control/extlists", LIST, `${LIST}/_page`, "/control/extlists/9"]) {
    assertEquals(refusal(get(console, path)).code, 9, path);
    assertEquals(await codeOf(console, set(path, {})), 9, path);
  }
  assertEquals(await codeOf(console, set("/control", { extlists: {} })), 9);
  assertEquals(await codeOf(console, set("/", { control: { extlists: { 1: 1 } } })), 9);
  assertEquals(refusal(get(console, "/control/nothing")).code, 6);
  const licensed = await testConsole({ configuration });
  assertEquals(refusal(get(licensed, "/control/extlists/9")).code, 6);
  assertEquals(await codeOf(licensed, set("/control/extlists/9", {})), 6);
});

Deno.test("a list is in no record and no checkpoint, and gone after a restart", async () => {
  const store = recordingStore();
  const console = await testConsole({ configuration, store });
  const before = [keptText(console), ...store.records];
  for (const step of ["1 register", "1 page 1", "1 press 3"]) await carryOut(console, step);
  assertEquals([keptText(console), ...store.records], before);
  for (const records of [store.records, checkpointOf(console.state)]) {
    const again = await testConsole({ configuration, records });
    assertEquals(valueAt(again, LIST), absent);
  }
});

/** A backup that holds nothing but a configuration. */
function backupOf(written: WrittenConfiguration) {
  const { device: _, licenses: __, engine: ___, ...document } = written;
  return { configuration: document, settings: {}, snapshots: {} };
}

type WrittenLists = NonNullable<WrittenConfiguration["lists"]>;

/**
 * What the restored configuration does with list 1, its lists, the page of list 1 that is shown
 * afterwards, and the page of each entry.
 */
const restores: readonly (readonly [string, WrittenLists, number, readonly number[]])[] = [
  ["keeps list 1", lists, 2, [0, 0, 1, 1, 2]],
  ["keeps list 1 under another name", [{ id: 1, name: "New", pageSize: 2 }], 2, [0, 0, 1, 1, 2]],
  ["keeps list 1 with larger pages", [{ id: 1, name: "Lines", pageSize: 9 }], 1, [0, 0, 1, 1, 1]],
  ["keeps list 1 with smaller pages", [{ id: 1, name: "Lines", pageSize: 1 }], 2, [0, 1, 2, 3, 4]],
  ["keeps list 1 and adds another list", [...lists, { id: 3 }], 2, [0, 0, 1, 1, 2]],
];

for (const [what, restoredLists, page, pages] of restores) {
  Deno.test(`after the restore of a configuration that ${what}, the tree agrees with the lists`, async () => {
    const console = await testConsole({ configuration });
    for (const step of ["1 register", "1 page 2", "1 press 3"]) await carryOut(console, step);
    await resultOf(console, restoring(console.state, backupOf(demoWith({ lists: restoredLists }))));
    const list = console.state.lists.get(1)!;
    assertEquals([list.page, list.subscribers], [page, new Set([1])]);
    assertEquals(valueAt(console, LIST), {
      _name: restoredLists[0]!.name!,
      _exists: true,
      _entries: shown.map((entry, at) => ({ ...entry, _page: pages[at]!, _on: at === 3 })),
      _page: page,
      _subscribers: 1,
    });
    const ids = restoredLists.map(({ id }) => String(id));
    assertEquals(Object.keys(valueAt(console, "/control/extlists")), ids);
    await carryOut(console, "1 close");
    assertEquals(valueAt(console, LIST), { ...absent, _name: restoredLists[0]!.name! });
  });
}

Deno.test("the restore of a configuration without a list removes that list from the state and from the tree", async () => {
  const console = await testConsole({ configuration });
  for (const step of ["1 register", "1 set"]) await carryOut(console, step);
  await resultOf(console, restoring(console.state, backupOf(demoWith({ lists: [{ id: 2 }] }))));
  assertEquals([...console.state.lists.keys()], []);
  assertEquals(valueAt(console, "/control/extlists"), { 2: { ...absent, _name: "List 2" } });
  await resultOf(console, restoring(console.state, backupOf(configuration)));
  assertEquals(valueAt(console, LIST), absent);
});

for (const isStored of [true, false]) {
  Deno.test(`while a configuration that adds a list is being stored, a call for that list waits until the configuration ${isStored ? "is stored" : "has failed to be stored"}`, async () => {
    const store = stagedStore();
    const console = await testConsole({ configuration, store });
    store.hold();
    const more = [...lists, { id: 3 }];
    const restored = console.dispatch(
      restoring(console.state, backupOf(demoWith({ lists: more }))),
      {},
    );
    const code = codeOf(console, registerList(3), { connection: 1 });
    const known = codeOf(console, registerList(1), { connection: 1 });
    assertEquals(Object.keys(valueAt(console, "/control/extlists")), ["1", "2"]);
    if (isStored) await store.land();
    else await store.fail("no space left");
    await restored;
    assertEquals([await code, await known], [isStored ? 0 : 6, 0]);
    assertEquals([...console.state.lists.keys()], isStored ? [3, 1] : [1]);
    const ids = Object.keys(valueAt(console, "/control/extlists"));
    assertEquals(ids, isStored ? ["1", "2", "3"] : ["1", "2"]);
    assertEquals(valueAt(console, `${LIST}/_exists`), true);
  });
}
