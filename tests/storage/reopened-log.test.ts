/** A log whose folder cannot be opened at the start, or is emptied or removed later. */
import { assertEquals, assertRejects } from "@std/assert";
import { configurationOf } from "../../program/configuration-file.ts";
import { openConsole } from "../../program/open-console.ts";
import { HoldsRecords, reopenedLog } from "../../storage/reopened-log.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import type { Log } from "../../storage/contract.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";
import { collecting, record } from "./texts.ts";

/** The records that a start finds. */
async function recordsIn(files: FileSystem) {
  const { found, options } = collecting();
  await (await openLog("data", { files, ...options })).close();
  return found;
}

/** A disk on which nothing can be opened, and the log of its folder. */
async function unopened(...texts: string[]) {
  const disk = createDisk(chanceOf(1));
  const { files } = disk;
  if (texts.length > 0) {
    const log = await openLog("data", { files });
    for (const one of texts) await log.append(record(one));
    await log.close();
  }
  disk.faults = () => "EROFS";
  const replay = () => {
    throw new HoldsRecords();
  };
  const state = () => [record("in force")];
  const fault = Object.assign(new Error("EROFS: simulated"), { code: "EROFS" });
  const log = reopenedLog(
    "data",
    fault,
    () => openLog("data", { files, replay, checkpoint: state }),
  );
  return {
    disk,
    log,
    found: () => recordsIn(files),
    readOnly: "data could not be opened: the medium is read-only",
  };
}

Deno.test("A log whose folder cannot be opened refuses records with the reason until it can be opened", async () => {
  const { disk, log, found, readOnly } = await unopened();
  await log.retry();
  assertEquals(log.condition, { state: "readonly", why: readOnly });
  await assertRejects(
    () => log.append(record("a")),
    Error,
    `the change could not be stored: ${readOnly}`,
  );
  disk.faults = () => "ENOSPC";
  await log.retry();
  assertEquals(log.condition.state, "full");
  disk.faults = () => undefined;
  await log.retry({ stale: true });
  assertEquals(log.condition, { state: "ok" });
  await log.append(record("next"));
  await log.close();
  assertEquals(await found(), ["in force", "next"]);
});

Deno.test("A folder that is found to hold records keeps them, and takes no further ones until the next start", async () => {
  const { disk, log, found } = await unopened("one", "two");
  disk.faults = () => undefined;
  for (let time = 0; time < 2; time++) {
    await log.retry({ stale: true });
    assertEquals(log.condition, {
      state: "damaged",
      why: "data is there now, but its records were not read",
      remedy: "Nothing is broken: a restart reads them.",
    });
  }
  await assertRejects(() => log.append(record("a")), Error, "its records were not read");
  await log.close();
  assertEquals(await found(), ["one", "two"]);
});

Deno.test("A log that is closed, or tried again, while its folder is being opened opens it once, and releases it", async () => {
  const { disk, log, found } = await unopened();
  disk.faults = () => undefined;
  const retries = [log.retry({ stale: true }), log.retry({ stale: true })];
  await log.close();
  await Promise.all(retries);
  assertEquals(log.condition, { state: "ok" });
  assertEquals(await found(), ["in force"]);
  await log.retry({ stale: true });
  assertEquals(await found(), ["in force"]);
});

Deno.test("A change during the opening of a folder is stored by a retry that comes before its end", async () => {
  const disk = createDisk(chanceOf(1));
  const { files } = disk;
  const state = ["in force"];
  let last: Promise<void> | undefined;
  const log: Log = reopenedLog("data", new Error("no such folder"), () =>
    openLog("data", {
      files,
      checkpoint() {
        const records = state.map(record);
        // The stop of the console, which comes while the first retry stores the state.
        last ??= Promise.resolve().then(() => {
          state.push("changed since");
          return log.retry({ stale: true });
        });
        return records;
      },
    }));
  await log.retry({ stale: true });
  await last;
  await log.close();
  assertEquals(await recordsIn(files), ["in force", "changed since"]);
});

/**
 * A log whose folder is removed, or only emptied, after its first record. With `fault`, every
 * operation fails with it before that, so that the log has no segment in use.
 */
async function removed(how: "removeFolder" | "emptyFolder", fault?: string) {
  const disk = createDisk(chanceOf(1));
  const { files } = disk;
  const replay = () => {
    throw new HoldsRecords();
  };
  const checkpoint = () => [record("in force")];
  const first = await openLog("data", { files, checkpoint });
  const { close } = first;
  let closings = 0;
  Object.assign(first, { close: () => (closings++, close()) });
  const log = reopenedLog("data", first, async () => {
    await files.list("data");
    return await openLog("data", { files, replay, checkpoint });
  });
  await log.append(record("one"));
  const content = disk.content("00000001.log");
  if (fault !== undefined) {
    disk.faults = () => fault;
    await assertRejects(() => log.append(record("refused")));
    disk.faults = () => undefined;
  }
  disk[how]();
  return { disk, log, content, found: () => recordsIn(files), closings: () => closings };
}

Deno.test("A removed or emptied folder is noticed at the next write, and gets the state in force once it is there again", async () => {
  for (const how of ["removeFolder", "emptyFolder"] as const) {
    const { disk, log, found } = await removed(how);
    const why = "the data folder was emptied, removed or replaced";
    await assertRejects(
      () => log.append(record("two")),
      Error,
      `the change could not be stored: ${why}`,
    );
    const remedy = "Create the folder again if it is missing; the alarm then ends by itself.";
    assertEquals(log.condition, { state: "readonly", why, gone: true, remedy });
    if (how === "removeFolder") {
      await log.retry();
      assertEquals(log.condition.state, "readonly");
      await assertRejects(() => log.append(record("three")), Error, "data could not be opened");
      disk.makeFolder();
    }
    await log.retry();
    assertEquals(log.condition, { state: "ok" });
    await log.append(record("four"));
    await log.close();
    assertEquals(await found(), ["in force", "four"]);
  }
});

Deno.test("An empty medium that replaces one whose write and cut failed gets the state in force", async () => {
  for (const how of ["removeFolder", "emptyFolder"] as const) {
    for (const isWritten of [false, true]) {
      const { disk, log, found } = await removed(how, "EIO");
      disk.makeFolder();
      if (isWritten) await assertRejects(() => log.append(record("refused")));
      // The first one finds the folder empty, the second one opens it.
      for (let tries = 0; tries < 2; tries++) await log.retry();
      assertEquals(log.condition, { state: "ok" });
      await log.append(record("next"));
      await log.close();
      assertEquals(await found(), ["in force", "next"]);
    }
  }
});

Deno.test("Two retries at once after a folder was emptied close its log once, and store the state in force", async () => {
  const { log, found, closings } = await removed("emptyFolder");
  await assertRejects(() => log.append(record("two")));
  await Promise.all([log.retry(), log.retry()]);
  assertEquals([log.condition.state, closings()], ["ok", 1]);
  await log.close();
  assertEquals(await found(), ["in force"]);
});

Deno.test("A folder that comes back with records keeps them, and takes no further ones until the next start", async () => {
  const { disk, log, content } = await removed("removeFolder");
  await assertRejects(() => log.append(record("two")));
  disk.makeFolder();
  disk.tamper("00000001.log", () => content);
  await log.retry({ stale: true });
  assertEquals(log.condition, {
    state: "damaged",
    why: "data is there now, but its records were not read",
    remedy: "After a restart these records count, and the state in force now is lost.",
  });
  await log.close();
});

/** Faults in the form in which Deno throws them, some without a code. */
const faults = [
  ["full", Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" })],
  ["full", new Error("Disk quota exceeded (os error 122): open 'data'")],
  ["readonly", Object.assign(new Error("Permission denied (os error 13)"), { code: "EACCES" })],
  ["readonly", Object.assign(new Error("Too many open files (os error 24)"), { code: "EMFILE" })],
  ["readonly", new Error("Too many open files in system (os error 23): open 'data'")],
  ["readonly", Object.assign(new Error("Cannot allocate memory"), { code: "ENOMEM" })],
  ["readonly", new Error("Stale file handle (os error 116): open 'data'")],
  ["readonly", new Error("Structure needs cleaning (os error 117): open 'data'")],
  ["readonly", Object.assign(new Error("Connection timed out"), { code: "ETIMEDOUT" })],
] as const;

Deno.test("A console whose folder cannot be opened starts with the storage alarm, after any fault", async () => {
  for (const [state, fault] of faults) {
    const { files } = createDisk(chanceOf(1));
    const failing = { ...files, makeFolder: () => Promise.reject(fault) };
    const configuration = configurationOf(undefined, "/nowhere");
    const open = await openConsole(configuration, "/nowhere", { files: failing, onStorage() {} });
    assertEquals(open.log.condition.state, state, fault.message);
    await open.close();
  }
});
