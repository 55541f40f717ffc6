import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { AuditEntry } from "../../core/audit.ts";
import type { Command } from "../../core/command.ts";
import { endClaim, EVERYTHING, tellLate } from "../../core/engines/claim.ts";
import { takeReport } from "../../core/engines/report.ts";
import { isRefusal } from "../../core/errors.ts";
import { keepLevels } from "../../core/fades/keeplevels.ts";
import { keepHours, refreshGeneral } from "../../core/general.ts";
import { closeConnection, registerList } from "../../core/lists/registerextlist.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { listSnapshots } from "../../core/snapshots/getsnapshotlist.ts";
import { durableChange } from "../../core/tree/treechanged.ts";
import { set } from "../../core/tree/set.ts";
import type { Leaf } from "../../core/tree/tree.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { endExpiredLogins } from "../../core/users/login.ts";
import { DEVICE } from "../../core/users/user.ts";
import { refusing, stillClock, testConsole } from "../service.ts";
import { actor, codeOf, granted, keptText, refusal, resultOf, valueAt } from "./actors.ts";
import { recordingStore, settled, stagedStore } from "./stores.ts";

const fader = "/audio/mixers/0/faders/0";

async function stagedConsole() {
  const store = stagedStore();
  const console = await testConsole({ store, configuration: refusing });
  store.hold();
  const seen: string[] = [];
  console.watch((event) => seen.push(event.type));
  return { store, console, seen };
}

Deno.test("a durable event is in force only after it is stored", async () => {
  const { store, console, seen } = await stagedConsole();
  const { state } = console;
  let answered = false;
  const answer = Promise.resolve(console.dispatch(set(`${fader}/fader`, -20), {}));
  void answer.then(() => answered = true);
  await settled();
  assertEquals([answered, seen, console.state === state], [false, [], true]);
  await store.land();
  assertEquals(await answer, { result: -20 });
  assertEquals(seen, ["treechanged"]);
  assertEquals(valueAt(console, `${fader}/fader`), -20);
});

Deno.test("a watcher is told of an event with the state after it, until it is removed", async () => {
  const console = await testConsole();
  const seen: unknown[] = [];
  const stop = console.watch((_event, state) => seen.push(state === console.state));
  await resultOf(console, set(`${fader}/on`, true));
  stop();
  await resultOf(console, set(`${fader}/on`, false));
  assertEquals(seen, [true]);
});

Deno.test("a write that fails is refused with 12, changes nothing, and later ones work", async () => {
  const { store, console, seen } = await stagedConsole();
  const { state } = console;
  const first = console.dispatch(set(`${fader}/fader`, -20), {});
  const second = console.dispatch(set(`${fader}/on`, true), {});
  await store.fail("no space left");
  for (const outcome of [await first, await second]) {
    assertEquals(refusal(outcome).code, 12);
    assertStringIncludes(refusal(outcome).message, "no space left");
  }
  assertEquals([seen, console.state === state, store.records.length], [[], true, 4]);
  await store.release();
  assertEquals(await resultOf(console, set(`${fader}/params/gain/again/inc`, 3)), 0);
  assertEquals(valueAt(console, `${fader}/params/gain/again/value`), 3);
  assertEquals([valueAt(console, `${fader}/fader`), valueAt(console, `${fader}/on`)], [
    -160,
    false,
  ]);
});

Deno.test("commands given between two failures of the store are tried afresh", async () => {
  const { store, console } = await stagedConsole();
  const inc = () => Promise.resolve(console.dispatch(set(`${fader}/params/gain/again/inc`, 5), {}));
  const first = inc();
  const between = first.then(inc);
  const second = inc();
  await store.fail("no space left");
  assertEquals([isRefusal(await first), isRefusal(await second)], [true, true]);
  const after = inc();
  await store.release();
  assertEquals([isRefusal(await between), isRefusal(await after)], [false, false]);
  assertEquals(valueAt(console, `${fader}/params/gain/again/value`), 10);
});

Deno.test("commands in flight together see each other", async () => {
  const { store, console } = await stagedConsole();
  const admin = actor(console, "admin");
  const one = console.dispatch(set(`${fader}/params/gain/again/inc`, 5), {});
  const two = console.dispatch(set(`${fader}/params/gain/again/inc`, 5), {});
  const what = { type: 1, fader: 0, id: "", writegroups: 1, readgroups: 0 } as const;
  const saves = ["A", "B"].map((name) => console.dispatch(saveSnapshot({ ...what, name }), admin));
  await store.release();
  await Promise.all([one, two, ...saves]);
  assertEquals(valueAt(console, `${fader}/params/gain/again/value`), 10);
  const list = granted(listSnapshots(console.state, 1));
  assertEquals(list.map(({ name }) => name), ["Speech", "A", "B"]);
  assertEquals([...console.state.snapshots.values()].slice(-2).map(({ number }) => number), [2, 3]);
});

Deno.test("a decision that depends on a write in flight is answered only after that write", async () => {
  const { store, console } = await stagedConsole();
  const first = console.dispatch(set(`${fader}/fader`, -20), {});
  const second = Promise.resolve(console.dispatch(set(`${fader}/fader`, -20), {}));
  let answered = false;
  void second.then(() => answered = true);
  await settled();
  assertEquals(answered, false, "-20 is not in force yet, so nobody may be told that it is");
  await store.fail("no space left");
  assertEquals([isRefusal(await first), isRefusal(await second)], [true, true]);
});

Deno.test("volatile events do not touch the store: they are seen at once, also while a write is in flight, and stay", async () => {
  const { store, console, seen } = await stagedConsole();
  const write = console.dispatch(set(`${fader}/on`, true), {});
  const outcome = console.dispatch(registerList(1), { connection: 1 });
  assertEquals([outcome, store.waiting], [{ result: { list: 1 } }, 1]);
  assertEquals(seen, ["listchanged", "treechanged"]);
  assertEquals([...console.state.lists.keys()], [1]);
  await console.dispatch(registerList(1), { connection: 2 });
  assertEquals([...console.state.lists.get(1)!.subscribers], [1, 2]);
  await store.fail("no space left");
  await write;
  await console.dispatch(registerList(2), { connection: 1 });
  assertEquals([...console.state.lists.keys()], [1, 2]);
});

Deno.test("a durable command of a watcher does not make later decisions forget the volatile event", async () => {
  const { store, console } = await stagedConsole();
  let write: unknown;
  console.watch((event) => {
    if (event.type !== "listchanged" || write !== undefined) return;
    write = console.dispatch(set(`${fader}/on`, true), {});
  });
  await console.dispatch(registerList(1), { connection: 1 });
  assertEquals(store.waiting, 1);
  await console.dispatch(registerList(1), { connection: 2 });
  assertEquals([...console.state.lists.get(1)!.subscribers], [1, 2]);
  await store.release();
  await write;
  assertEquals([...console.state.lists.get(1)!.subscribers], [1, 2]);
  assertEquals(valueAt(console, `${fader}/on`), true);
});

Deno.test("all watchers hear all events in the same order, also events of commands that a watcher gives", async () => {
  const { console } = await stagedConsole();
  const heard: [number[], number[]] = [[], []];
  const subscribers = (of: typeof console.state) => [...of.lists.get(1)!.subscribers].length;
  console.watch(({ type }, state) => {
    if (type !== "listchanged") return;
    heard[0].push(subscribers(state));
    if (heard[0].length === 1) console.dispatch(registerList(1), { connection: 2 });
  });
  console.watch(({ type }, state) => {
    if (type === "listchanged") heard[1].push(subscribers(state));
  });
  await console.dispatch(registerList(1), { connection: 1 });
  assertEquals(heard, [[1, 2], [1, 2]]);
  assertEquals(subscribers(console.state), 2);
});

Deno.test("a watcher that throws stops neither other watchers nor the audit entry; without onWatcherFault its error is thrown afterwards", async () => {
  const faults: unknown[] = [];
  const entries: unknown[] = [];
  const heard: string[] = [];
  const console = await testConsole({
    onWatcherFault: (fault) => faults.push((fault as Error).message),
    audit: (entry) => entries.push(entry),
  });
  console.watch(() => {
    throw new Error("broken");
  });
  console.watch(({ type }) => heard.push(type));
  const by = { ...actor(console, "admin"), call: "set" };
  assertEquals(await console.dispatch(set(`${fader}/on`, true), by), { result: true });
  assertEquals([heard, faults, entries.length], [["treechanged"], ["broken"], 1]);
  const unheard = await testConsole();
  unheard.watch(() => {
    throw new Error("broken");
  });
  unheard.watch(({ type }) => heard.push(type));
  await assertRejects(async () => await unheard.dispatch(set(`${fader}/on`, true), {}), "broken");
  assertEquals([heard.length, valueAt(unheard, `${fader}/on`)], [2, true]);
});

Deno.test("a change on which a watcher throws at the caller is in the audit trail and can be undone, stored or not", async () => {
  const fault = new Error("broken");
  const throwing = () => {
    throw fault;
  };
  for (const onWatcherFault of [undefined, throwing]) {
    const entries: AuditEntry[] = [];
    const store = stagedStore();
    const audit = (entry: AuditEntry) => void entries.push(entry);
    const given = onWatcherFault && { onWatcherFault };
    const console = await testConsole({ store, audit, ...given });
    console.watch(throwing);
    const by = { ...actor(console, "admin"), call: "set" };
    const change = async (leaf: string, value: Leaf) =>
      await console.dispatch(set(`${fader}/${leaf}`, value), by);
    assertEquals(await assertRejects(() => change("on", true)), fault);
    store.hold();
    const refused = assertRejects(() => change("memo", true));
    await store.fail("no space left");
    assertEquals(await refused, fault);
    assertEquals(await assertRejects(() => change("fader", -20)), fault);
    const paths = ["on", "memo", "fader"].map((leaf) => `${fader}/${leaf}`);
    assertEquals(paths.map((path) => valueAt(console, path)), [true, true, -20]);
    assertEquals(entries.map(({ changes }) => changes!.map(({ path }) => path).join()), paths);
    assertEquals(entries.map(({ durable }) => durable), [undefined, false, false]);
    assertEquals(console.undoSteps.map(({ what, values }) => [what, values]), [
      ["set", 1],
      ["set", 1],
      ["set", 1],
    ]);
  }
});

/** What changes nothing on an idle console, and whether its answer waits for a write in flight. */
const idle: readonly (readonly [what: string, command: Command<unknown>, waits: boolean])[] = [
  ["a get of general", refreshGeneral(), false],
  ["a look for expired logins", endExpiredLogins, false],
  ["a report of an engine", takeReport({}, [EVERYTHING]), false],
  ["an engine that keeps up", tellLate(1, false), false],
  ["the end of a connection without a list", closeConnection(1), false],
  ["the end of a connection without an engine", endClaim(1), false],
  ["a set to the value in force", set(`${fader}/memo`, false), true],
  ["the end of fades", keepLevels(), true],
  ["a look at the hours of operation", keepHours, true],
];

for (const [what, command, waits] of idle) {
  Deno.test(`${what} ${waits ? "waits for" : "leaves nothing behind"} a write that hangs`, async () => {
    const store = stagedStore();
    const console = await testConsole({ store, clock: stillClock() });
    console.dispatch(refreshGeneral(), DEVICE);
    store.hold();
    const write = console.dispatch(set(`${fader}/on`, true), {});
    assertEquals(console.dispatch(command, DEVICE) instanceof Promise, waits);
    await store.release();
    await write;
  });
}

Deno.test("all events of a command are one record", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  const before = store.records.length;
  const on = { audio: { mixers: { 0: { faders: { 0: { on: true } } } } } };
  const both: Command<Record<string, never>> = (state) => ({
    events: [
      ...durableChange(state, on, on),
      { type: "userremoved", name: "none" },
    ],
    result: {},
  });
  await resultOf(console, both);
  assertEquals(store.records.length, before + 1);
  const again = await testConsole({ records: [...store.records.slice(0, -1)] });
  assertEquals([valueAt(again, `${fader}/on`), again.state.users.has("none")], [false, true]);
  const whole = await testConsole({ records: store.records, store: recordingStore() });
  assertEquals(valueAt(whole, `${fader}/on`), true);
});

Deno.test("a refused command changes nothing", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  const before = [keptText(console), store.records.length];
  const user = { name: "admin", groups: 1, admin: false };
  assertEquals(await codeOf(console, addUser(user)), 3);
  assertEquals(await codeOf(console, removeUser("nobody")), 6);
  assertEquals([keptText(console), store.records.length], before);
});

Deno.test("a store that throws is a store that fails", async () => {
  let failing = false;
  const append = () => {
    if (failing) throw new Error("gone");
    return Promise.resolve();
  };
  const console = await testConsole({ store: { append }, configuration: refusing });
  const seen: string[] = [];
  console.watch(({ type }) => seen.push(type));
  failing = true;
  assertEquals([await codeOf(console, set(`${fader}/on`, true)), seen], [12, []]);
  failing = false;
  assertEquals(await codeOf(console, set(`${fader}/on`, true)), 0);
});
