/** Degraded mode: changes that the store refuses are in force, but not durable, or refused. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { AuditEntry } from "../../core/audit.ts";
import type { Command } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { registerList } from "../../core/lists/registerextlist.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import type { RecordBytes } from "../../core/ports.ts";
import { tellStorage } from "../../core/storage-alarm.ts";
import { set } from "../../core/tree/set.ts";
import { find, parsePath } from "../../core/tree/tree.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { login } from "../../core/users/login.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { setGlobalLabel } from "../../core/labels/setgloballabel.ts";
import { demoWith, refusing, stillClock, type TestConsole, testConsole } from "../service.ts";
import { actor, codeOf, keptText, restoring, resultOf, valueAt } from "./actors.ts";
import { checkpointOf, settled, stagedStore } from "./stores.ts";

const fader = "/audio/mixers/0/faders/0";
const factory = "0f0c0002-0000-4000-8000-000000000001";
const save = saveSnapshot({ type: 2, id: "", writegroups: 1, readgroups: 0, name: "A" });

async function heldConsole(options: TestConsole = {}) {
  const store = stagedStore();
  const console = await testConsole({ store, ...options });
  store.hold();
  const seen: string[] = [];
  console.watch((event) => seen.push(event.type));
  return { store, console, seen };
}

/** A console in degraded mode: a change is in force that the store refused. */
async function unstoredConsole(options: TestConsole = {}) {
  const held = await heldConsole(options);
  const first = held.console.dispatch(set(`${fader}/memo`, true), {});
  await held.store.fail("no space left");
  await first;
  assert(held.console.unstored);
  held.seen.length = 0;
  return held;
}

/** The outcome of a command: its error code, or whether its change is durable. */
async function cameTo(
  console: Console,
  command: Command<unknown>,
  by = actor(console, "admin"),
): Promise<unknown> {
  const outcome = await console.dispatch(command, { connection: 1, ...by });
  return "code" in outcome ? outcome.code : outcome.durable ?? true;
}

Deno.test("a set that the store refuses is in force, once, and answered with durable false", async () => {
  const { store, console, seen } = await heldConsole();
  const answer = console.dispatch(set(`${fader}/params/gain/again/inc`, 5), {});
  await store.fail("no space left");
  assertEquals(await answer, { result: 0, durable: false });
  assertEquals(valueAt(console, `${fader}/params/gain/again/value`), 5);
  assertEquals([seen, console.unstored], [["treechanged"], true]);
});

/** Commands while nothing can be stored, and the outcome of each. */
const rows: readonly (readonly [what: string, command: Command<unknown>, outcome: unknown])[] = [
  ["a level", set(`${fader}/fader`, -20), false],
  ["a key", set(`${fader}/on`, true), false],
  ["a route", set("/audio/routing/routes/1", "2"), false],
  ["a channel's label", setChannelLabel(1, "Anna"), false],
  ["a global label", setGlobalLabel(1, "News"), false],
  ["a load", loadSnapshot({ id: factory }), false],
  ["a fade of 0 s", fadeToValue({ mixer: 0, fader: 0, seconds: 0, value: -5 }), false],
  ["the start of a fade", fadeToValue({ mixer: 0, fader: 0, seconds: 1, value: -5 }), false],
  ["a list", registerList(1), false],
  ["a login on a mixer", login(0), false],
  ["the value in force", set(`${fader}/memo`, true), false],
  ["a save", save, 12],
  ["a new user", addUser({ name: "anna", groups: 1, admin: false }), 12],
  ["the end of a user", removeUser("one"), 12],
  ["a wrong value", set(`${fader}/on`, 1), 3],
];

Deno.test("while nothing can be stored, changes of the live state are in force but not durable; all others are refused", async () => {
  for (const [what, command, outcome] of rows) {
    const { store, console } = await unstoredConsole();
    const came = cameTo(console, command);
    await settled();
    await store.fail("no space left");
    assertEquals(await came, outcome, what);
  }
});

Deno.test("once the medium has refused a change, further changes do not wait for it", async () => {
  const { store, console } = await unstoredConsole();
  const { records } = store;
  const outcome = console.dispatch(set(`${fader}/fader`, -20), {});
  assertEquals([outcome, store.waiting], [{ result: -20, durable: false }, 0]);
  assertEquals(store.records, records);
});

Deno.test("writes in flight when the medium fails come into force in their order, each once", async () => {
  const { store, console, seen } = await heldConsole();
  const inc = set(`${fader}/params/gain/again/inc`, 5);
  const [level, again] = [-10, -20].map((dB) => console.dispatch(set(`${fader}/fader`, dB), {}));
  const incs = [1, 2].map(() => console.dispatch(inc, {}));
  const rests = console.dispatch(set(`${fader}/fader`, -20), {});
  await store.fail("no space left");
  assertEquals(await Promise.all([level, again]), [
    { result: -10, durable: false },
    { result: -20, durable: false },
  ]);
  for (const outcome of await Promise.all([...incs, rests])) {
    assertEquals(outcome, { ...outcome, durable: false });
  }
  assertEquals(valueAt(console, `${fader}/fader`), -20);
  assertEquals(valueAt(console, `${fader}/params/gain/again/value`), 10);
  assertEquals(seen, ["treechanged", "treechanged", "treechanged", "treechanged"]);
});

Deno.test("a write in flight behind a failed set is refused also if a watcher throws at that set", async () => {
  const { store, console } = await heldConsole();
  console.watch((event) => {
    if (event.type === "treechanged") throw new Error("a bug of a watcher");
  });
  const levels = [-20, -21].map((dB) => cameTo(console, set(`${fader}/fader`, dB)));
  const thrown = levels.map((level) => assertRejects(() => level, Error, "a bug of a watcher"));
  const user = cameTo(console, addUser({ name: "anna", groups: 1, admin: false }));
  await store.fail("no space left");
  await Promise.all(thrown);
  assertEquals([await user, console.state.users.has("anna")], [12, false]);
  assertEquals(valueAt(console, `${fader}/fader`), -21);
});

Deno.test("writes in flight behind a failed one are refused also if onStoreFault throws", async () => {
  const { store, console, seen } = await heldConsole({
    configuration: demoWith({ storage: { onFault: "refuse" } }),
    onStoreFault() {
      throw new Error("a bug of a logger");
    },
  });
  const [first, ...others] = [-20, -21, -22].map((dB) =>
    cameTo(console, set(`${fader}/fader`, dB))
  );
  const thrown = assertRejects(() => first!, Error, "a bug of a logger");
  await store.fail("no space left");
  await thrown;
  assertEquals([await Promise.all(others), seen], [[12, 12], []]);
});

Deno.test("a set that waits behind a failed save is stored nevertheless", async () => {
  const { store, console } = await heldConsole();
  const saved = cameTo(console, save);
  const level = cameTo(console, set(`${fader}/fader`, -20));
  const user = cameTo(console, addUser({ name: "anna", groups: 1, admin: false }));
  await store.fail("no space left");
  assertEquals([await saved, await user, store.waiting], [12, 12, 1]);
  await store.release();
  assertEquals([await level, console.unstored], [true, false]);
  const again = await testConsole({ records: store.records });
  assertEquals(keptText(again), keptText(console));
});

Deno.test("a command that was decided on a failed restore is decided again", async () => {
  const { store, console } = await heldConsole();
  const more = { configuration: { mixers: [{ faders: 12 }] }, settings: {}, snapshots: {} };
  const restored = codeOf(console, restoring(console.state, more));
  const there = cameTo(console, set("/audio/mixers/0/faders/11/on", true));
  const here = cameTo(console, set(`${fader}/on`, true));
  await store.fail("no space left");
  assertEquals([await restored, await there], [12, 6]);
  await store.release();
  assertEquals(await here, true);
});

Deno.test("a set overtakes a save that is being written to a failing medium, but not a configuration", async () => {
  const { store, console } = await unstoredConsole();
  const saved = cameTo(console, save);
  assertEquals(await cameTo(console, set(`${fader}/fader`, -20)), false);
  await store.fail("no space left");
  assertEquals(await saved, 12);
  const more = { configuration: { mixers: [{ faders: 12 }] }, settings: {}, snapshots: {} };
  const restored = codeOf(console, restoring(console.state, more));
  const there = "/audio/mixers/0/faders/11";
  const behind = cameTo(console, set(`${there}/on`, true));
  assertEquals(find(console.state.tree, parsePath(there)), undefined);
  await store.release();
  assertEquals([await restored, await behind], [0, false]);
  assertEquals(valueAt(console, `${there}/on`), true);
});

Deno.test("a set does not overtake an earlier set that a checkpoint let through to the medium", async () => {
  const { store, console } = await unstoredConsole();
  console.checkpoint();
  const first = cameTo(console, set(`${fader}/fader`, -20));
  console.checkpointEnded(false);
  const second = cameTo(console, set(`${fader}/fader`, -30));
  await store.release();
  assertEquals([await first, await second], [false, false]);
  assertEquals(valueAt(console, `${fader}/fader`), -30);
});

Deno.test("a record that no store accepts is refused, and delays no write in flight", async () => {
  const held = stagedStore();
  const store = {
    append(record: RecordBytes) {
      if (held.waiting > 0) throw new TypeError("too large");
      return held.append(record);
    },
  };
  const console = await testConsole({ store });
  held.hold();
  const first = cameTo(console, set(`${fader}/fader`, -20));
  assertEquals(await cameTo(console, set(`${fader}/fader`, -30)), 12);
  await held.release();
  assertEquals([await first, valueAt(console, `${fader}/fader`)], [true, -20]);
});

Deno.test("the state in force is durable again once a checkpoint has stored it", async () => {
  const { store, console } = await unstoredConsole();
  await resultOf(console, set(`${fader}/fader`, -20));
  const checkpoint = [...checkpointOf(console.state)];
  console.checkpoint();
  const during = cameTo(console, set(`${fader}/on`, true));
  assertEquals(store.waiting, 1, "what the checkpoint has not goes to the store");
  await store.release();
  assertEquals([await during, console.unstored], [false, true], "the checkpoint may still fail");
  console.checkpointEnded(true);
  assertEquals(console.unstored, false);
  assertEquals(await cameTo(console, set(`${fader}/voice`, true)), true);
  const records = [...checkpoint, ...store.records.slice(-2)];
  assertEquals(keptText(await testConsole({ records })), keptText(console));
});

Deno.test("a checkpoint that fails, or began before a refusal, does not end degraded mode", async () => {
  const { store, console } = await unstoredConsole();
  console.checkpoint();
  console.checkpointEnded(false);
  assertEquals(await cameTo(console, set(`${fader}/fader`, -20)), false);
  assertEquals([store.waiting, console.unstored], [0, true], "the store is not asked");
  console.checkpoint();
  const during = cameTo(console, set(`${fader}/on`, true));
  await store.fail("no space left");
  assertEquals(await during, false);
  console.checkpointEnded(true);
  assertEquals(console.unstored, true);
});

Deno.test("volatile changes are answered with durable false during the storage alarm only", async () => {
  const { console } = await heldConsole();
  assertEquals(await cameTo(console, registerList(1)), true);
  await resultOf(console, tellStorage("readonly"));
  assertEquals(valueAt(console, "/general/_storage"), "readonly");
  assertEquals(await cameTo(console, registerList(2)), false);
  await resultOf(console, tellStorage("slow"));
  assertEquals(await cameTo(console, login(0)), true);
  await resultOf(console, tellStorage("ok"));
  assertEquals(await cameTo(console, login(1)), true);
  const refusesAll = (await heldConsole({ configuration: refusing })).console;
  await resultOf(refusesAll, tellStorage("readonly"));
  assertEquals(await cameTo(refusesAll, registerList(1)), true, "where nothing else is accepted");
});

Deno.test("a change that is tried again is charged once", async () => {
  const writes = { perMinute: 1, bytesPerMinute: 0, burstMinutes: 2 };
  const configuration = demoWith({ limits: { writes } });
  const { store, console } = await heldConsole({ configuration, clock: stillClock() });
  const panel = { address: "192.0.2.7" };
  const saved = cameTo(console, save);
  const first = cameTo(console, set(`${fader}/fader`, -20), panel);
  await store.fail("no space left");
  await store.release();
  assertEquals([await saved, await first], [12, true]);
  assertEquals(await cameTo(console, set(`${fader}/fader`, -30), panel), true);
  assertEquals(await cameTo(console, set(`${fader}/fader`, -40), panel), 11);
});

Deno.test("a change that is not durable has one audit entry, with durable false", async () => {
  const entries: AuditEntry[] = [];
  const { store, console } = await heldConsole({ audit: (entry) => entries.push(entry) });
  const by = { ...actor(console, "admin"), call: "set" };
  const changing = cameTo(console, set(`${fader}/fader`, -20), by);
  await store.fail("no space left");
  await changing;
  const changes = [{ path: `${fader}/fader`, before: -160, after: -20 }];
  const from = "command line";
  const user = "admin";
  const what = "set";
  assertEquals(entries, [{ from, user, what, changes, durable: false }]);
});
