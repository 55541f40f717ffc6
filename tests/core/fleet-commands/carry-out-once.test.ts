/**
 * A console carries out a command of a fleet once, and only if its condition holds (docs/fleet.md,
 * "Commands").
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { AuditEntry } from "../../../core/audit.ts";
import type { Command } from "../../../core/command.ts";
import type { FleetCommand, WouldChange } from "../../../core/fleet-commands/fleet-command.ts";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { COMMANDS_REMEMBERED } from "../../../core/limits.ts";
import type { Change } from "../../../core/noted-changes.ts";
import { checkpointRecords, eventsIn } from "../../../core/record.ts";
import { modifySnapshot } from "../../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { get } from "../../../core/tree/get.ts";
import { set } from "../../../core/tree/set.ts";
import { removeUser } from "../../../core/users/adduser.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { type Actor, DEVICE } from "../../../core/users/user.ts";
import { setViewDocument } from "../../../core/view-documents/setviewdocument.ts";
import { whole } from "../../../storage/records.ts";
import { refusalOf, testConsole } from "../../service.ts";
import { recordingStore, stagedStore } from "../stores.ts";

const ON = "/audio/mixers/0/faders/0/on";

const BATCH = "0123456789abcdef0123456789abcdef";

function by(command: Omit<FleetCommand, "batch">): Actor {
  return { ...DEVICE, call: "set", command: { ...command, batch: BATCH } };
}

function kept(id: string, { expires = 2000, now = 1000 } = {}): Actor {
  return by({ id, kept: { expires, now } });
}

Deno.test("the id of a kept command is in the record of its change, so that a restart finds both or neither", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  const before = store.records.length;
  await console.dispatch(set(ON, true), kept("a1"));
  const [record, ...more] = store.records.slice(before);
  assertEquals(more, []);
  assertEquals(eventsIn(record!).map(({ type }) => type), ["valueskept", "commanddone"]);

  const again = await testConsole({ records: store.records });
  await again.dispatch(set(ON, false), DEVICE);
  const outcome = await again.dispatch(set(ON, true), kept("a1"));
  assertEquals(outcome, { result: {} });
  assertEquals(get(again, ON), { value: false });
});

Deno.test("the id of a kept command that changes nothing is remembered, too", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  await console.dispatch(set(ON, true), kept("a1"));
  await console.dispatch(set(ON, true), kept("a2"));
  assertEquals(eventsIn(store.records.at(-1)!).map(({ type }) => type), ["commanddone"]);
  const again = await testConsole({ records: store.records });
  assertEquals([...again.state.commandsDone.ids], [["a1", 2000], ["a2", 2000]]);
});

Deno.test("a kept command that comes again while its record is being written is answered once the record is on the medium", async () => {
  const store = stagedStore();
  const console = await testConsole({ store });
  const before = store.records.length;
  store.hold();
  const first = console.dispatch(set(ON, true), kept("a1"));
  const second = console.dispatch(set(ON, true), kept("a1"));
  assertEquals(get(console, ON), { value: false });
  await store.land();
  assertEquals([await first, await second].map((outcome) => "result" in outcome), [true, true]);
  assertEquals(store.records.length, before + 1);
});

Deno.test("a checkpoint keeps the ids, and the expiry up to which ids were forgotten", async () => {
  const console = await testConsole();
  for (let at = 0; at < COMMANDS_REMEMBERED; at++) {
    await console.dispatch(set(ON, true), kept(`id-${at}`, { expires: 2000 + at % 2 }));
  }
  const refusal = refusalOf(await console.dispatch(set(ON, true), kept("late", { now: 1999 })));
  assertEquals(refusal.code, 11);
  // The ids that have expired make room, and no command of theirs is carried out again.
  await console.dispatch(set(ON, true), kept("late", { expires: 3000, now: 2000 }));
  const records = [...checkpointRecords(console.state)].map(whole);
  const again = await testConsole({ records });
  assertEquals(again.state.commandsDone.ids.size, COMMANDS_REMEMBERED / 2 + 1);
  const repeated = refusalOf(await again.dispatch(set(ON, false), kept("id-0")));
  assertStringIncludes(repeated.message, "nobody knows whether it was carried out");
});

Deno.test("a kept command is refused where it cannot be stored, a live one is in force", async () => {
  const store = { append: () => Promise.reject(new Error("no space left on the medium")) };
  const records = recordingStore();
  await testConsole({ store: records });
  const console = await testConsole({ store, records: records.records });
  assertEquals(refusalOf(await console.dispatch(set(ON, true), kept("a1"))).code, 12);
  assertEquals(get(console, ON), { value: false });
  await console.dispatch(set(ON, true), by({ id: "a2" }));
  assertEquals(get(console, ON), { value: true });
  assertEquals(refusalOf(await console.dispatch(set(ON, false), kept("a3"))).code, 12);
  assertEquals(get(console, ON), { value: true });
});

Deno.test("the condition of a command is checked in the decision about its change, after all earlier decisions", async () => {
  const console = await testConsole();
  const whileOff = (id: string) => by({ id, require: { [ON]: false } });
  const outcomes = await Promise.all([
    console.dispatch(set(ON, true), whileOff("a1")),
    console.dispatch(setChannelLabel(1, "late"), whileOff("a2")),
    console.dispatch(setChannelLabel(1, "lost"), by({ id: "a3", require: { "/no/path": 1 } })),
  ]);
  assertEquals(outcomes.map((outcome) => "code" in outcome ? outcome.code : 0), [0, 3, 6]);
  assertStringIncludes(refusalOf(outcomes[1]).message, `expected false at ${ON}, it is true`);
});

Deno.test("a preview changes nothing, and answers the values that would change", async () => {
  const told: AuditEntry[] = [];
  const store = recordingStore();
  const console = await testConsole({ store, audit: (entry) => void told.push(entry) });
  const writes = store.records.length;
  const seen: unknown[] = [];
  const preview = by({
    id: "a1",
    preview: ({ before, after }) => void seen.push(before, after),
  });
  await console.dispatch(set(ON, true), preview);
  console.tellRefused(preview, { code: 3, message: "no" });
  const onAt = (on: boolean) => ({ audio: { mixers: { 0: { faders: { 0: { on } } } } } });
  assertEquals(seen, [onAt(false), onAt(true)]);
  assertEquals(get(console, ON), { value: false });
  assertEquals([told.length, store.records.length], [0, writes]);
});

Deno.test("a preview names the changes beside the control tree as the audit trail then does, and makes none", async () => {
  const told: AuditEntry[] = [];
  const store = recordingStore();
  const console = await testConsole({ store, audit: (entry) => void told.push(entry) });
  const secret = "01234567-89abcdef-01234567-89abcdef";
  const save = (name: string) =>
    saveSnapshot({ type: 2, id: "", name, mixer: 0, writegroups: 255, readgroups: 0 });
  await console.dispatch(save("One"), DEVICE);
  const id = [...console.state.snapshots.keys()].at(-1)!;
  const commands: readonly (readonly [string, Command<unknown>, string])[] = [
    ["modifyuser", modifyUser({ name: "one", may: "view", newtoken: true }), "/users/one"],
    ["removeuser", removeUser("one"), "/users/one"],
    ["savesnapshot", save(secret), "/snapshots/"],
    ["modifysnapshot", modifySnapshot({ id, name: "Two" }), `/snapshots/${id}`],
    ["removesnapshot", removeSnapshot(id), `/snapshots/${id}`],
    ["setviewdocument", setViewDocument({ name: "a", document: { secret } }), "/viewdocuments/a"],
  ];
  for (const [what, command, path] of commands) {
    const [writes, entries, { state }] = [store.records.length, told.length, console];
    const seen: WouldChange[] = [];
    await console.dispatch(command, by({ id: "a1", preview: (would) => void seen.push(would) }));
    assertEquals([store.records.length, told.length], [writes, entries], what);
    assertEquals(console.state === state, true, what);
    await console.dispatch(command, by({ id: "a2" }));
    const { changes = [], more } = told.at(-1)!;
    const [{ others, all }] = seen as [WouldChange];
    assertEquals(all?.more, more, what);
    assertEquals(all?.changes.map(comparable), changes.map(comparable), what);
    const beside = (all?.changes ?? []).filter(({ path }) => !path.startsWith("/audio"));
    assertEquals(others?.changes, beside, what);
    assertEquals(others?.changes[0]?.path.startsWith(path), true, what);
    assertEquals(/[0-9a-f]{8}-[0-9a-f]{8}-/.test(JSON.stringify(seen)), false, what);
  }
});

/** Returns a change without what is made anew each time: ids and times. */
function comparable({ path, before, after }: Change): unknown[] {
  return JSON.parse(
    JSON.stringify([path, before, after])
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]*/g, "ID")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]*Z/g, "TIME"),
  );
}

Deno.test("a fleet command has an audit entry and an undo step as any call, with the id of its batch", async () => {
  const told: AuditEntry[] = [];
  const console = await testConsole({ audit: (entry) => void told.push(entry) });
  await console.dispatch(set(ON, true), kept("a1"));
  assertEquals(told.map(({ what, batch }) => [what, batch]), [["set", BATCH]]);
  assertEquals(console.undoSteps.length, 1);
});
