import { assert, assertEquals } from "@std/assert";
import type { Console } from "../../core/console.ts";
import { updatePicture } from "../../core/pictures/resource.ts";
import { decodeRecord } from "../../core/record.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { set } from "../../core/tree/set.ts";
import { login } from "../../core/users/login.ts";
import { testConsole } from "../service.ts";
import { actor, keptText, resultOf } from "./actors.ts";
import { checked, smallPng } from "./pictures/made-png.ts";
import { checkpointOf } from "./stores.ts";

const restarted = (console: Console) => testConsole({ records: checkpointOf(console.state) });

Deno.test("an untouched console's checkpoint holds its users and nothing of its configuration", async () => {
  const console = await testConsole();
  const events = checkpointOf(console.state).flatMap((record) => decodeRecord(record));
  assertEquals(new Set(events.map(({ type }) => type)), new Set(["userwritten"]));
  assert(events.length < 10);
});

Deno.test("a checkpoint keeps levels, labels, snapshots, default snapshots and pictures", async () => {
  const console = await testConsole();
  const admin = actor(console, "admin");
  await resultOf(console, set("/audio/mixers/1/faders/3", { fader: -12.5, label: "Anna" }), admin);
  await resultOf(console, set("/control/labels/1/label", "News"), admin);
  const save = { type: 2, writegroups: 1, readgroups: 0 } as const;
  await resultOf(console, saveSnapshot({ ...save, id: "", name: "Morning" }), admin);
  await resultOf(console, saveSnapshot({ ...save, id: "default", mixer: 1 }), admin);
  await resultOf(console, updatePicture(1, checked(smallPng)), admin);
  const again = await restarted(console);
  assertEquals(keptText(again), keptText(console));
  assertEquals(again.state.pictures, console.state.pictures);
});

Deno.test("the user of a mixer is volatile, and not in a checkpoint", async () => {
  const console = await testConsole();
  const before = checkpointOf(console.state).length;
  await resultOf(console, login(0), actor(console, "one"));
  assertEquals(checkpointOf(console.state).length, before);
});
