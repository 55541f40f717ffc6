/** Long work on a backup is done in pieces: between two of them the event loop has a turn. */
import { assert, assertEquals } from "@std/assert";
import { applyBackup } from "../../../core/backup/restore-backup.ts";
import { readSums } from "../../../core/backup/manifest.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { countingScheduler } from "../../schedulers.ts";
import { testConsole } from "../../service.ts";
import { granted, resultOf } from "../actors.ts";
import { filesIn, gunzip, packed, read } from "./archives.ts";

const MIXERS = 30;

async function manyMixers() {
  const console = await testConsole({
    configuration: { mixers: Array(MIXERS).fill({ faders: 1 }) },
  });
  for (let mixer = 0; mixer < MIXERS; mixer++) {
    const saved = saveSnapshot({ type: 2, id: "default", mixer, writegroups: 1, readgroups: 0 });
    await resultOf(console, saved, DEVICE);
  }
  return console;
}

Deno.test("each default snapshot is written, and read, in a turn of its own", async () => {
  const { state } = await manyMixers();
  const writing = countingScheduler();
  const reading = countingScheduler();
  const archive = await packed(state, ["SNAPZERO"], { scheduler: writing.scheduler });
  assert(writing.turns >= MIXERS, `${writing.turns} turns`);
  const contents = granted(await read(archive, ["SNAPZERO"], { scheduler: reading.scheduler }));
  assert(reading.turns >= MIXERS, `${reading.turns} turns`);
  const zero = [...state.snapshots.values()].filter(({ id }) => id === "default");
  assertEquals(contents.snapshots.SNAPZERO, zero);
});

Deno.test("a restored configuration is put in force with a turn of the event loop for each mixer", async () => {
  const console = await manyMixers();
  const applying = countingScheduler();
  const contents = {
    configuration: { mixers: Array(MIXERS).fill({ faders: 2 }) },
    settings: {},
    snapshots: {},
  };
  const outcome = await applyBackup(console, contents, DEVICE, applying.scheduler);
  assertEquals(outcome, { result: {} });
  assert(applying.turns >= MIXERS, `${applying.turns} turns`);
  assertEquals(console.state.configuration.mixers[MIXERS - 1]!.faders.length, 2);
});

Deno.test("the sums of a thousand files are read with a pause after each", async () => {
  const sums = Array.from({ length: 1000 }, (_, at) => ({ name: `${at}`, bytes: at, crc32: at }));
  const reading = countingScheduler();
  const bytes = new TextEncoder().encode(JSON.stringify(sums, null, 2));
  assertEquals(await readSums(bytes, reading.scheduler), sums);
  assertEquals(reading.turns, 1000);
});

Deno.test("a console without default snapshots has an empty list of them", async () => {
  const { state } = await testConsole();
  const archive = await packed(state, ["SNAPZERO"]);
  assertEquals(new TextDecoder().decode(filesIn(await gunzip(archive)).get("snapzero.json")), "[]");
  assertEquals(granted(await read(archive, ["SNAPZERO"])).snapshots.SNAPZERO, []);
});
