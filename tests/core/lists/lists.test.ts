import { assert, assertEquals } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import type { Console } from "../../../core/console.ts";
import { pressList } from "../../../core/lists/pressextlist.ts";
import {
  closeConnection,
  registerList,
  unregisterList,
} from "../../../core/lists/registerextlist.ts";
import { setList } from "../../../core/lists/setextlist.ts";
import { demoWith, testConsole } from "../../service.ts";
import { codeOf, refusalOf, resultOf } from "../actors.ts";

const entries = [{ label: "A" }, { label: "B", disabled: true }, { label: "C" }];

/** A press or a release, as [entry, on, subscribers]. */
type Notified = [number, number, number[]];

async function watched(): Promise<{ console: Console; notified: Notified[] }> {
  const console = await testConsole();
  const notified: Notified[] = [];
  console.watch((event) => {
    if (event.type !== "listnotified") return;
    notified.push([event.entry, event.on, [...event.subscribers]]);
  });
  return { console, notified };
}

/** Carries out what a connection does with list 1: "2 press" is a press of entry 0. */
async function carryOut(console: Console, steps: string): Promise<void> {
  for (const step of steps.split(", ")) {
    const [by, action] = step.split(" ");
    await resultOf(console, does[action!]!(Number(by)), { connection: Number(by) });
  }
}

const does: Readonly<Record<string, (by: number) => Command<unknown>>> = {
  register: () => registerList(1),
  unregister: () => unregisterList(1),
  set: () => setList({ list: 1, entries }),
  press: () => pressList({ list: 1, entry: 0, on: 1 }),
  release: () => pressList({ list: 1, entry: 0, on: 0 }),
  close: (by) => closeConnection(by),
};

/** Actions ("connection action"), and the subscribers after them; undefined: the list is absent. */
const life: readonly (readonly [string, string, readonly number[] | undefined])[] = [
  ["absent", "", undefined],
  ["absent, register", "1 register", [1]],
  ["exists, register by another", "1 register, 2 register", [1, 2]],
  ["exists, register again", "1 register, 1 register", [1]],
  ["exists, unregister, others remain", "1 register, 2 register, 1 unregister", [2]],
  ["exists, closed, others remain", "1 register, 2 register, 1 close", [2]],
  ["exists, unregister, none remains", "1 register, 1 unregister", undefined],
  ["exists, closed, none remains", "1 register, 1 close", undefined],
  ["exists, all leave", "1 register, 2 register, 2 close, 1 unregister", undefined],
  ["exists, unregister by a stranger", "1 register, 2 unregister", [1]],
  ["exists, a stranger closes", "1 register, 2 close", [1]],
  ["absent, unregister", "1 unregister", undefined],
  ["exists, set by a stranger", "1 register, 2 set", [1]],
  ["gone and registered anew", "1 register, 1 set, 1 close, 2 register", [2]],
];

for (const [what, happens, subscribers] of life) {
  Deno.test(`the life of an external list: ${what}`, async () => {
    const console = await testConsole();
    if (happens !== "") await carryOut(console, happens);
    const list = console.state.lists.get(1);
    assertEquals(list && [...list.subscribers], subscribers && [...subscribers]);
    if (happens.endsWith("2 register")) return assertEquals(list!.entries, []);
    if (happens.includes("2 set")) assertEquals(list!.entries, entries);
  });
}

Deno.test("setextlist on an absent list is error 6", async () => {
  const console = await testConsole();
  assertEquals(await codeOf(console, setList({ list: 1, entries }), { connection: 1 }), 6);
  assertEquals(await codeOf(console, does.press!(1), { connection: 1 }), 6);
  assertEquals(console.state.lists.size, 0);
});

Deno.test("a call for a list is error 8 without a WebSocket, 9 without the license, 6 if the list is not configured", async () => {
  const console = await testConsole();
  const unlicensed = await testConsole({ configuration: demoWith({ licenses: ["52-8577"] }) });
  const commands = [
    registerList,
    unregisterList,
    (list: number) => setList({ list, entries: [] }),
    (list: number) => pressList({ list, entry: 0, on: 1 }),
  ];
  for (const command of commands as ((list: number) => Command<unknown>)[]) {
    assertEquals(await codeOf(console, command(1), {}), 8);
    assertEquals(await codeOf(unlicensed, command(1), {}), 8);
    assertEquals(await codeOf(unlicensed, command(1), { connection: 1 }), 9);
    assertEquals(await codeOf(console, command(3), { connection: 1 }), 6);
  }
});

Deno.test("the results of the list calls: list, and for setextlist its params as received", async () => {
  const console = await testConsole();
  const by = { connection: 1 };
  for (let time = 0; time < 2; time++) {
    assertEquals(await resultOf(console, registerList(1), by), { list: 1 });
  }
  const params = { list: 1, entries, select: 0 };
  assertEquals(await resultOf(console, setList(params), by), params);
  assertEquals(await resultOf(console, does.press!(1), by), {});
  assertEquals(await resultOf(console, unregisterList(2), by), { list: 2 });
});

const many = (count: number, pagination: number[] = []) =>
  Array.from({ length: count }, (_, index) => ({
    label: String(index),
    pagination: pagination.includes(index),
  }));

/** Entries, `select`, and the page shown, from page 0. */
const pages: readonly (readonly [string, ReturnType<typeof many>, number | undefined, number])[] = [
  ["no entries", many(0), 5, 0],
  ["24 entries are one page", many(24), 5, 0],
  ["the 25th is on the second", many(25), 5, 1],
  ["48 are two", many(48), 9, 1],
  ["49 are three", many(49), 9, 2],
  ["select within", many(49), 1, 1],
  ["an index past the last page", many(49), 48, 2],
  ["no select: the page stays", many(49), undefined, 0],
  ["pagination begins a page", many(3, [0]), 9, 1],
  ["pagination at every entry", many(3, [0, 1, 2]), 9, 2],
  ["pagination at the last entry begins none", many(3, [2]), 9, 0],
  ["pagination begins the count anew", many(28, [3]), 9, 1],
  ["and again after 24", many(29, [3]), 9, 2],
  ["pagination at the end of a full page", many(25, [23]), 9, 1],
];

for (const [what, given, select, page] of pages) {
  Deno.test(`pages of an external list: ${what}`, async () => {
    const console = await testConsole();
    await resultOf(console, registerList(1), { connection: 1 });
    await resultOf(console, setList({ list: 1, entries: given, select }), { connection: 1 });
    assertEquals(console.state.lists.get(1)!.page, page);
  });
}

Deno.test("without select the page stays, or becomes the last page where the new list has fewer", async () => {
  const console = await testConsole({
    configuration: { lists: [{ id: 1, pageSize: 2 }] },
  });
  const by = { connection: 1 };
  await resultOf(console, registerList(1), by);
  const shown = [[many(10), 3], [many(10), undefined], [many(6), undefined], [many(1), undefined]];
  const seen: number[] = [];
  for (const [entries, select] of shown as [ReturnType<typeof many>, number | undefined][]) {
    await resultOf(console, setList({ list: 1, entries, select }), by);
    seen.push(console.state.lists.get(1)!.page);
  }
  assertEquals(seen, [3, 3, 2, 0]);
});

Deno.test("a list has at most 1000 entries", async () => {
  const console = await testConsole();
  const by = { connection: 1 };
  await resultOf(console, registerList(1), by);
  assertEquals(await codeOf(console, setList({ list: 1, entries: many(1000) }), by), 0);
  const before = console.state;
  assertEquals(await codeOf(console, setList({ list: 1, entries: many(1001) }), by), 11);
  assertEquals(console.state === before, true);
});

/** Actions after 1 and 2 have registered and the list was set, and the `on` of their events. */
const presses: readonly (readonly [string, string, readonly number[]])[] = [
  ["pressed and released", "1 press, 1 release", [1, 0]],
  ["pressed twice is pressed once", "1 press, 1 press, 1 release, 1 release", [1, 0]],
  ["released without being pressed", "1 release", []],
  ["pressed by two: up when the last lets go", "1 press, 2 press, 1 release, 2 release", [
    1,
    0,
  ]],
  ["released by a connection that does not hold it", "1 press, 2 release", [1]],
  ["pressed by a connection that is not subscribed", "3 press, 3 release", [1, 0]],
  ["a holder closes", "1 press, 1 close", [1, 0]],
  ["a holder that is not subscribed closes", "3 press, 3 close", [1, 0]],
  ["one of two holders closes", "1 press, 2 press, 1 close", [1]],
  ["a connection that does not hold it closes", "1 press, 3 close", [1]],
  ["a holder unregisters, then closes", "1 press, 1 unregister, 1 close", [1, 0]],
  ["the list is set anew", "1 press, 2 press, 3 set", [1, 0]],
  ["a release after the list was set anew", "1 press, 3 set, 1 release", [1, 0]],
];

for (const [what, happens, events] of presses) {
  Deno.test(`a button: ${what}`, async () => {
    const { console, notified } = await watched();
    await carryOut(console, `1 register, 2 register, 1 set, ${happens}`);
    assertEquals(notified.map(([, on]) => on), [...events]);
    assertEquals(notified.every(([entry]) => entry === 0), true);
  });
}

Deno.test("a press is an event for the connections subscribed to its list at that moment", async () => {
  const { console, notified } = await watched();
  await resultOf(console, registerList(2), { connection: 3 });
  await carryOut(console, "1 register, 2 register, 1 set, 3 press");
  await carryOut(console, "1 unregister, 3 release");
  assertEquals(notified, [[0, 1, [1, 2]], [0, 0, [2]]]);
});

Deno.test("a disabled or unknown entry cannot be pressed", async () => {
  const { console, notified } = await watched();
  const by = { connection: 1 };
  await carryOut(console, "1 register, 1 set");
  const { state } = console;
  for (const [entry, code] of [[1, 3], [3, 6], [-1, 6], [0.5, 6], [2 ** 40, 6]] as const) {
    assertEquals(await codeOf(console, pressList({ list: 1, entry, on: 1 }), by), code);
  }
  assert(console.state === state);
  assertEquals(notified, []);
});

Deno.test("a press of an entry that does not exist is refused with the number of entries", async () => {
  const console = await testConsole();
  const by = { connection: 1 };
  await resultOf(console, registerList(1), by);
  for (const [count, has] of [[0, "0 entries"], [1, "1 entry"], [3, "3 entries"]] as const) {
    await resultOf(console, setList({ list: 1, entries: entries.slice(0, count) }), by);
    const refused = await refusalOf(console, pressList({ list: 1, entry: 9, on: 1 }), by);
    const message = `entry: list 1 has ${has}, no entry 9`;
    assertEquals(refused, { code: 6, message, parameter: "entry" });
  }
});
