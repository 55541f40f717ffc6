import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Console } from "../../../core/console.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { errorCodes, type ErrorName, isRefusal } from "../../../core/errors.ts";
import { listSnapshots } from "../../../core/snapshots/getsnapshotlist.ts";
import {
  findNumbered,
  loadNumbered,
  saveNumbered,
  uploadNumbered,
} from "../../../core/snapshots/numbered.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { verifySnapshot } from "../../../core/snapshots/setsnapshot.ts";
import type { Snapshot } from "../../../core/snapshots/snapshot.ts";
import type { SnapshotData } from "../../../core/snapshots/snapshotdata.ts";
import { set } from "../../../core/tree/set.ts";
import { refusalOf, result, testConsole } from "../../service.ts";
import { actor, codeIn, codeOf, resultOf, valueAt } from "../actors.ts";
import { dataOf, verified } from "./saved.ts";
import { recordingStore } from "../stores.ts";

const FADER = "/audio/mixers/0/faders/0";
const mixer = { mixer: 0 };
const fader = { mixer: 0, fader: 0 };
const number2 = (number: number) => ({ type: 2, number }) as const;
const number1 = (number: number) => ({ type: 1, number }) as const;

async function savedAs(console: Console, number: number, by = "admin", name?: string) {
  await resultOf(console, saveNumbered(number2(number), mixer, name), actor(console, by));
  return snapshotOf(console, number);
}

function snapshotOf(console: Console, number: number, type: 1 | 2 = 2): Snapshot {
  const found = findNumbered(console.state, { type, number });
  if (isRefusal(found)) throw new Error(found.message);
  return found;
}

function fileOf(console: Console, { id, mixer }: Snapshot): Promise<SnapshotData> {
  return dataOf(console, id, actor(console, "admin"), mixer);
}

/** Uploads a mixer snapshot to a number. */
async function upload(console: Console, number: number, file: unknown, by = "admin") {
  const command = uploadNumbered(number2(number), await verified(console, file));
  await resultOf(console, command, actor(console, by));
  return snapshotOf(console, number);
}

Deno.test("a save to an unused SnapshotID, 1 to 65535, makes a snapshot of that number", async () => {
  const console = await testConsole();
  for (const number of [5, 65535, 2]) {
    const { id, type, mixer } = await savedAs(console, number);
    assertMatch(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assertEquals([type, mixer], [2, 0]);
  }
  const listed = listSnapshots(console.state, 2);
  assertEquals(
    [listed].flat().length,
    2 + 3,
    "the RPC interface sees them beside default and factory",
  );
});

Deno.test("each type of snapshot has its own numbers", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  await resultOf(console, saveNumbered(number1(5), fader, "Channel"), admin);
  await resultOf(console, saveNumbered(number2(5), mixer, "Mixer"), admin);
  assertEquals(snapshotOf(console, 5, 1).name, "Channel");
  assertEquals(snapshotOf(console, 5, 2).name, "Mixer");
});

Deno.test("a new snapshot has the groups of its user as writegroups, readgroups 0, and the time as its name", async () => {
  const clock = { now: () => 0, monotonic: () => 0 };
  const console = await testConsole({ clock });
  const { name, readgroups, writegroups, factory } = await savedAs(console, 5, "two");
  assertEquals([readgroups, writegroups, factory], [0, 2, false]);
  assertMatch(name, /^19(69|70)-\d\d-\d\d \d\d:\d\d:00$/);
});

Deno.test("an overwritten snapshot keeps its UUID, number and groups, and its name unless a name is given", async () => {
  const console = await testConsole();
  const before = await savedAs(console, 5, "two", "First");
  await result(console, set(`${FADER}/fader`, -7));
  const again = await savedAs(console, 5, "admin");
  assertEquals({ ...again, content: 0 }, { ...before, content: 0 });
  assert(again.content !== before.content);
  assertEquals((await savedAs(console, 5, "two", "Second")).name, "Second");
});

Deno.test("an empty Name counts as no Name, as over RPC", async () => {
  const console = await testConsole();
  await savedAs(console, 5, "admin", "First");
  assertEquals((await savedAs(console, 5, "admin", "")).name, "First");
  assertMatch((await savedAs(console, 6, "admin", "")).name, /^\d{4}-\d\d-\d\d /);
});

Deno.test("a snapshot created over RPC gets the lowest free number of its type", async () => {
  const console = await testConsole();
  await savedAs(console, 65_535);
  const made = { type: 2, id: "", name: "By RPC", writegroups: 1, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot(made), actor(console, "admin"));
  assertEquals(snapshotOf(console, 2).name, "By RPC");
  const channel = { ...made, type: 1, fader: 0 } as const;
  await resultOf(console, saveSnapshot(channel), actor(console, "admin"));
  assertEquals(snapshotOf(console, 2, 1).name, "By RPC");
});

Deno.test("an actor saves, uploads and loads a snapshot by number only with the right to do so", async () => {
  const rows: readonly (readonly [string, string, readonly number[], ErrorName | undefined])[] = [
    // the actor, the action, the numbers, the error
    ["nobody", "save", [5, 50, 0], "notLoggedIn"],
    ["nobody", "save", [1], "readOnly"],
    ["nobody", "upload", [5, 50, 0], "notLoggedIn"],
    ["nobody", "load", [5, 1, 0], undefined],
    ["nobody", "load", [6], "notLoggedIn"],
    ["nobody", "load", [50], "noSuchObject"],
    ["none", "save", [5, 50, 0], "noRight"],
    ["none", "upload", [50], "noRight"],
    ["none", "load", [6], "noRight"],
    ["one", "save", [5, 50, 0], undefined],
    ["one", "save", [6], "noRight"],
    ["one", "upload", [0], undefined],
    ["one", "upload", [6], "noRight"],
    ["one", "load", [6], "noRight"],
    ["two", "save", [5], "noRight"],
    ["two", "upload", [5], "noRight"],
    ["two", "load", [6], undefined],
    ["two", "save", [6], undefined],
    ["admin", "save", [1], "readOnly"],
    ["admin", "upload", [1], "readOnly"],
  ];
  const console = await testConsole();
  const file = await verified(
    console,
    await fileOf(console, await savedAs(console, 5, "one", "Five")),
  );
  const six = { ...snapshotOf(console, 5), readgroups: 2, writegroups: 2, number: 6 };
  const snapshot = { ...six, id: "0f0c0002-0000-4000-8000-00000000000f" };
  await result(console, () => ({ events: [{ type: "snapshotwritten", snapshot }], result: {} }));
  for (const [who, what, numbers, refused] of rows) {
    for (const number of numbers) {
      const command = what === "save"
        ? saveNumbered(number2(number), mixer, "New")
        : what === "load"
        ? loadNumbered(number2(number), mixer)
        : uploadNumbered(number2(number), file);
      const code = codeIn(console.state, command, actor(console, who));
      const expected = refused === undefined ? 0 : errorCodes[refused];
      assertEquals(code, expected, `${who}, ${what} ${number}`);
    }
  }
});

Deno.test("SnapshotID 0 is the default snapshot of the mixer, also before one is saved", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  await result(console, set(`${FADER}/fader`, -7));
  await resultOf(console, loadNumbered(number2(0), mixer));
  assertEquals(valueAt(console, `${FADER}/fader`), -160, "as it was configured");
  await result(console, set(`${FADER}/fader`, -9));
  await resultOf(console, saveNumbered(number2(0), mixer, "Ignored"), admin);
  await result(console, set(`${FADER}/fader`, 0));
  await resultOf(console, loadNumbered(number2(0), mixer));
  assertEquals(valueAt(console, `${FADER}/fader`), -9);
  assertEquals(valueAt(console, "/audio/mixers/0/_lastloadedsnap"), "default");
  await resultOf(console, loadNumbered(number2(0), { mixer: 1 }));
  assertEquals(valueAt(console, `${FADER}/fader`), -9, "that of the other mixer is another");
});

Deno.test("no channel snapshot has the number 0, and an unused number is error 6", async () => {
  const console = await testConsole();
  for (const numbered of [number1(0), number1(50), number2(50), number2(-1)]) {
    const { code, message } = refusalOf(findNumbered(console.state, numbered));
    assertEquals(code, errorCodes.noSuchObject);
    assertMatch(message, /^SnapshotID: /);
  }
  assertEquals(await codeOf(console, loadNumbered(number1(0), fader)), errorCodes.noSuchObject);
});

Deno.test("loading a channel snapshot by its number changes that fader alone", async () => {
  const console = await testConsole();
  const other = valueAt(console, "/audio/mixers/0/faders/1");
  await resultOf(console, loadNumbered(number1(1), fader));
  assertEquals(valueAt(console, `${FADER}/params/subsonic/frequency`), 80);
  assertEquals(valueAt(console, `${FADER}/_lastloadedsnap`), "Speech");
  assert(valueAt(console, "/audio/mixers/0/faders/1") === other);
});

Deno.test("an upload replaces content, name and groups; the snapshot of that number keeps its own UUID", async () => {
  const console = await testConsole();
  await result(console, set(`${FADER}/fader`, -3));
  const file = await fileOf(console, await savedAs(console, 5, "admin", "File"));
  await result(console, set(`${FADER}/fader`, -8));
  const before = await savedAs(console, 7, "one", "Seven");
  await upload(console, 7, file, "one");
  const after = snapshotOf(console, 7);
  assertEquals([after.id, after.number, after.name], [before.id, 7, "File"]);
  assertEquals([after.writegroups, after.readgroups], [255, 0]);
  await resultOf(console, loadNumbered(number2(7), mixer));
  assertEquals(valueAt(console, `${FADER}/fader`), -3);
  assertEquals(snapshotOf(console, 5).name, "File", "the one it came from is still there");
});

Deno.test("an upload to an unused number makes a snapshot, with a new UUID if that of the file is in use", async () => {
  const console = await testConsole();
  const file = await fileOf(console, await savedAs(console, 5, "admin", "File"));
  for (const number of [8, 9]) await upload(console, number, file);
  const ids = [5, 8, 9].map((number) => snapshotOf(console, number).id);
  assertEquals(new Set(ids).size, 3);

  const elsewhere = await testConsole();
  await upload(elsewhere, 8, file);
  assertEquals(snapshotOf(elsewhere, 8).id, file.id, "on another console it stays what it is");
});

Deno.test("a default snapshot that is uploaded to a number has the groups of the user, and can be changed", async () => {
  const console = await testConsole();
  const file = await fileOf(console, snapshotOf(console, 0));
  await upload(console, 8, file, "two");
  const { id, writegroups } = snapshotOf(console, 8);
  assert(id !== "default");
  assertEquals(writegroups, 2);
  await resultOf(console, removeSnapshot(id), actor(console, "two"));
});

Deno.test("an upload to number 0 becomes the default snapshot", async () => {
  const console = await testConsole();
  await result(console, set(`${FADER}/fader`, -3));
  const file = await fileOf(console, await savedAs(console, 5, "admin", "File"));
  await result(console, set(`${FADER}/fader`, 0));
  await upload(console, 0, file, "one");
  await resultOf(console, loadNumbered(number2(0), mixer));
  assertEquals(valueAt(console, `${FADER}/fader`), -3);
  assertEquals(snapshotOf(console, 0).name, "default");
});

Deno.test("an upload to number 0 is for mixer 0, from whichever mixer the file is", async () => {
  const console = await testConsole();
  await result(console, set("/audio/mixers/1/faders/0/fader", -7));
  await resultOf(console, saveNumbered(number2(5), { mixer: 1 }, "Two"), actor(console, "admin"));
  const file = await fileOf(console, snapshotOf(console, 5));
  await upload(console, 0, file);
  await resultOf(console, loadNumbered(number2(0), mixer));
  assertEquals(valueAt(console, `${FADER}/fader`), -7);
  assertEquals(snapshotOf(console, 0).mixer, 0);
});

Deno.test("an upload to number 0 without a mixer 0 is error 6", async () => {
  const console = await testConsole({ configuration: { mixers: [{ id: 1, faders: 1 }] } });
  const { state } = console;
  const file = await verified(console, await dataOf(console, "default", undefined, 1));
  const upload = await console.dispatch(uploadNumbered(number2(0), file), actor(console, "admin"));
  assertEquals(refusalOf(upload).code, errorCodes.noSuchObject);
  assert(console.state === state);
});

Deno.test("an altered file is error 10, a file of another type error 3", async () => {
  const console = await testConsole();
  const file = await fileOf(console, await savedAs(console, 5));
  const channel = await fileOf(console, snapshotOf(console, 1, 1));
  const { state } = console;
  const altered = await verifySnapshot(state, { ...file, name: "Other" }, withoutPauses);
  assertEquals(refusalOf(altered).code, errorCodes.alteredSnapshotData);
  for (const [type, data] of [[2, channel], [1, file]] as const) {
    const command = uploadNumbered({ type, number: 60 }, await verified(console, data));
    const { code, parameter } = refusalOf(await console.dispatch(command, actor(console, "admin")));
    assertEquals([code, parameter], [errorCodes.invalidParameter, "snapshotdata"]);
  }
  assert(console.state === state);
});

Deno.test("snapshots saved and uploaded by number are the same after a restart", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  const file = await fileOf(console, await savedAs(console, 5, "one", "File"));
  await savedAs(console, 0);
  for (const number of [0, 9]) await upload(console, number, file);
  const restarted = await testConsole({ records: store.records });
  assertEquals(restarted.state.snapshots, console.state.snapshots);
});
