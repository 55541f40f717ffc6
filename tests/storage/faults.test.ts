/** A medium that is full or fails while the service runs. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Condition } from "../../storage/contract.ts";
import { StorageError } from "../../storage/storage-error.ts";
import { type Log, type LogOptions, openLog } from "../../runtimes/deno/log.ts";
import { chanceOf } from "./random.ts";
import type { Operation, SimulatedDisk } from "./simulated-disk.ts";
import { uncaughtDuring } from "../uncaught.ts";
import { appendAll, record, simulatedLog } from "./texts.ts";

const checkpoint = () => [record("state")];
/** A record for which the segment has to be lengthened. */
const long = record("x".repeat(20_000));

/** An open log with one record. */
async function openWithOne(options: LogOptions = {}, seed = 7) {
  const made = simulatedLog(options, seed);
  const log = await made.open();
  await log.append(record("a"));
  return { ...made, log };
}

/** Makes the next operation of the kind fail. */
function fail(disk: SimulatedDisk, operation: Operation, code: string): void {
  let times = 1;
  disk.faults = (one) => one === operation && times-- > 0 ? code : undefined;
}

async function expectRefused(log: Log, why = "", payload = record("refused")) {
  return await assertRejects(() => log.append(payload), StorageError, why);
}

for (
  const [code, state, reason] of [
    ["ENOSPC", "full", "no space left on the medium"],
    ["EDQUOT", "full", "the quota of the medium is used up"],
    ["EFBIG", "full", "the file is larger than the medium allows"],
    ["EIO", "readonly", "the medium failed"],
    ["EROFS", "readonly", "the medium is read-only"],
    ["EACCES", "readonly", "access to the medium is denied"],
    ["EMFILE", "readonly", "too many files are open in this process"],
    ["ENFILE", "readonly", "too many files are open on this machine"],
    ["ENOMEM", "readonly", "the machine has no memory left"],
    ["ESTALE", "readonly", "the medium is not the same one as before"],
    ["ETIMEDOUT", "readonly", "the medium does not answer"],
  ] as const
) {
  Deno.test(`${code} on a write: the record is refused with the reason and place, and cut off; the next record is stored`, async () => {
    const { disk, log, names, foundAfterPowerCut } = await openWithOne();
    await log.append(record("lengthens the segment"));
    fail(disk, "write", code);
    const fault = await expectRefused(
      log,
      `the change could not be stored: ${reason} (data, segment 1)`,
    );
    assertEquals([fault.fault, fault.certain], ["notStored", true]);
    assertEquals(log.condition, { state, why: reason });
    await log.append(record("b"));
    assertEquals(log.condition, { state: "ok" });
    assertEquals(await names(), ["00000001.log"]);
    assertEquals(await foundAfterPowerCut(), ["a", "lengthens the segment", "b"]);
  });
}

Deno.test("A medium without space to lengthen the segment takes a record that fits into the segment", async () => {
  const { disk, log, foundAfterPowerCut } = await openWithOne();
  fail(disk, "write", "ENOSPC");
  await log.append(record("b"));
  assertEquals(log.condition, { state: "ok" });
  await log.append(record("c"));
  assertEquals(await foundAfterPowerCut(), ["a", "b", "c"]);
});

for (const operations of [["write"], ["write", "create"]]) {
  Deno.test(`While each ${operations.join(" and ")} finds the medium full, every record is refused without leaving a segment, and records are stored once there is space`, async () => {
    const { disk, log, names, foundAfterPowerCut } = await openWithOne();
    disk.faults = (operation) => operations.includes(operation) ? "ENOSPC" : undefined;
    for (let count = 0; count < 20; count++) await expectRefused(log, "no space left");
    assertEquals(await names(), ["00000001.log"]);
    disk.faults = () => undefined;
    await log.append(record("b"));
    assertEquals(await names(), ["00000001.log"]);
    assertEquals(await foundAfterPowerCut(), ["a", "b"]);
  });
}

for (const operation of ["write", "sync", "truncate"] as const) {
  Deno.test(`300 failures at ${operation} that alternate with successes leave at most 8 files`, async () => {
    const { disk, log, names } = await openWithOne();
    for (let count = 0; count < 300; count++) {
      await log.append(record(`${count}`));
      fail(disk, operation, "ENOSPC");
      await log.append(long).catch(() => {});
      disk.faults = () => undefined;
    }
    const left = await names();
    assert(left.length <= 8, `${left.length} files`);
  });
}

for (const seed of [1, 2, 3]) {
  Deno.test(`While half of the syncs fail, at random, there are at most 80 files (seed ${seed})`, async () => {
    const { disk, log, names } = await openWithOne({ checkpoint }, seed);
    const chance = chanceOf(seed + 100);
    disk.faults = (operation) =>
      operation.startsWith("sync") && chance.hits(0.5) ? "EIO" : undefined;
    let most = 0;
    for (let count = 0; count < 500; count++) {
      await log.append(record(`${count}`)).catch(() => {});
      most = Math.max(most, (await names()).length);
    }
    assert(most <= 80, `${most} files`);
  });
}

Deno.test("When a write fails, the records that wait behind it fail, too: the stored records are a prefix", async () => {
  const { disk, log, foundAfterPowerCut } = await openWithOne();
  fail(disk, "write", "EIO");
  const first = log.append(record("x".repeat(200_000)));
  const behind = [log.append(record("behind 1")), log.append(record("behind 2"))];
  const outcomes = await Promise.allSettled([first, ...behind]);
  assertEquals(outcomes.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
  await log.append(record("b"));
  assertEquals(await foundAfterPowerCut(), ["a", "b"]);
});

Deno.test("A record that is appended between the refusal of another and the code that awaits it is refused, too", async () => {
  const { disk, log, foundAfterPowerCut } = await openWithOne();
  const heard: unknown[] = [];
  let between: Promise<unknown> | undefined;
  function appendBetween(): void {
    // The first microtask with the new condition runs before the code that waits for the refusal.
    if (log.condition.state === "ok") return queueMicrotask(appendBetween);
    const appended = log.append(record("between")).then(() => "stored", () => "refused");
    between = appended.then((outcome) => heard.push(outcome));
  }
  fail(disk, "write", "EIO");
  const afresh = log.append(record("first")).catch(() => {
    heard.push("first refused");
    return log.append(record("afresh"));
  });
  appendBetween();
  await afresh;
  await between;
  assertEquals(heard, ["first refused", "refused"]);
  assertEquals(await foundAfterPowerCut(), ["a", "afresh"]);
});

Deno.test("A failed sync is never retried: if the cut cannot be synced, the header of the next segment has the end", async () => {
  const { disk, log, names, foundAfterPowerCut } = await openWithOne();
  disk.faults = (operation, path) =>
    operation === "sync" && path.endsWith("1.log") ? "EIO" : undefined;
  assert((await expectRefused(log)).certain);
  assertEquals(await names(), ["00000001.log", "00000002.log"]);
  await log.append(record("b"));
  assertEquals(await foundAfterPowerCut(), ["a", "b"]);
});

Deno.test("A refused record stays refused, also if its cut failed and then a header is lost", async () => {
  const { disk, log, reopened } = await openWithOne();
  disk.faults = (operation, path) =>
    path.endsWith("1.log") && operation !== "write" ? "EIO" : undefined;
  assert((await expectRefused(log, "", long)).certain);
  disk.faults = () => undefined;
  disk.restart("kill");
  for (const place of [0, 4096]) {
    disk.tamper("00000002.log", (content) => content.fill(7, place, place + 512));
    assertEquals((await reopened()).found, ["a"]);
    disk.tamper("00000002.log", (content) => {
      return content.copyWithin(place, 4096 - place, 4096 - place + 512);
    });
  }
});

Deno.test("When nothing can be written, the refusal says that the record may be found after a restart", async () => {
  const { disk, log, foundAfterPowerCut } = await openWithOne();
  disk.faults = () => "EIO";
  assertEquals((await expectRefused(log, "it may be found after a restart")).certain, false);
  disk.faults = () => undefined;
  await log.append(record("b"));
  assertEquals(await foundAfterPowerCut(), ["a", "b"]);
});

Deno.test("A short write is continued", async () => {
  const { disk, log, foundAfterPowerCut } = await openWithOne();
  disk.faults = (operation) => operation === "write" ? "SHORT" : undefined;
  const texts = ["one", "two", "x".repeat(5000)];
  await appendAll(log, texts);
  assertEquals(await foundAfterPowerCut(), ["a", ...texts]);
});

for (const operation of ["write", "rename", "syncFolder"] as const) {
  Deno.test(`A compaction that fails at ${operation} leaves the old log, and is tried again`, async () => {
    const { disk, log, names, foundAfterPowerCut } = await openWithOne({ checkpoint });
    let onCheckpoint = 1;
    disk.faults = (one, path) => {
      const hit = one === operation && (operation === "syncFolder" || path.endsWith("reserve"));
      return hit && onCheckpoint-- === (operation === "syncFolder" ? 0 : 1) ? "ENOSPC" : undefined;
    };
    const compaction = "compaction failed: no space left on the medium";
    await assertRejects(() => log.compact(), Error, compaction);
    assertEquals(log.condition, { state: "ok", compaction });
    assertEquals((await names()).filter((name) => name.includes("checkpoint")), []);
    await log.append(record("c"));
    disk.faults = () => undefined;
    await log.compact();
    assertEquals(log.condition, { state: "ok" });
    await log.append(record("d"));
    assertEquals(await foundAfterPowerCut(), ["state", "d"]);
  });
}

Deno.test("A failed compaction is tried again after some writes, also if the log hardly grows", async () => {
  const { disk, log } = await openWithOne({ checkpoint, segmentBytes: 65_536 });
  disk.faults = (operation, path) =>
    operation === "rename" && path.endsWith("reserve") ? "EIO" : undefined;
  for (let at = 0; at < 70; at++) await log.append(record("x".repeat(500)));
  assert(log.condition.compaction !== undefined);
  disk.faults = () => undefined;
  let writes = 0;
  for (; log.condition.compaction !== undefined && writes < 500; writes++) {
    await log.append(record("more"));
  }
  assert(writes > 10 && writes < 200, `${writes} writes until then`);
});

for (const operation of ["remove", "rename", "open", "size"] as const) {
  Deno.test(`If ${operation} fails while a checkpoint is replaced, the next compaction removes all old files`, async () => {
    const { disk, files, open } = simulatedLog({ checkpoint });
    const log = await open();
    await log.compact();
    await log.append(record("a"));
    let isRemoving = false;
    disk.faults = (one) => {
      isRemoving ||= one === "remove";
      if (!isRemoving || one !== operation) return undefined;
      disk.faults = () => undefined;
      return "EIO";
    };
    const once = log.compact();
    if (operation === "remove") {
      await assertRejects(() => once, Error, "compaction failed: the medium failed");
    } else await once;
    assert(isRemoving);
    await log.compact();
    assertEquals(log.condition, { state: "ok" });
    const expected = ["00000003.checkpoint", "00000003.log", "reserve"];
    assertEquals((await files.list("data")).sort(), expected);
  });
}

Deno.test("A reserve whose size cannot be read at the start is made anew", async () => {
  const { disk, log, open } = await openWithOne({ checkpoint });
  await log.close();
  disk.faults = (operation, path) =>
    operation === "size" && path.endsWith("reserve") ? "EIO" : undefined;
  const again = await open();
  assertEquals([again.recovery.records, again.condition], [1, { state: "ok" }]);
  await again.append(record("b"));
  assertEquals(again.condition, { state: "ok" });
  assert(disk.content("reserve").length > 512 * 1024);
  await again.close();
});

Deno.test("A deleted reserve is made anew", async () => {
  const { files, log } = await openWithOne({ checkpoint });
  await files.remove("data/reserve");
  await log.compact();
  assertEquals(log.condition, { state: "ok" });
  await log.append(record("b"));
  await files.remove("data/reserve");
  await log.append(record("c".repeat(600_000)));
  assertEquals(log.condition, { state: "ok" });
  assert((await files.list("data")).includes("reserve"));
  await log.close();
});

Deno.test("A log whose end cannot be made safe opens with all its records, and stores more once it can", async () => {
  const { disk, log: before, open, foundAfterPowerCut } = await openWithOne();
  await before.close();
  disk.faults = (operation) => operation === "syncFolder" ? "EROFS" : undefined;
  const log = await open();
  assertEquals(log.recovery.records, 1);
  const readonly = { state: "readonly", why: "the medium is read-only" } as const;
  assertEquals(log.condition, readonly);
  await expectRefused(log, "the medium is read-only");
  await log.retry();
  assertEquals(log.condition, readonly);
  disk.faults = () => undefined;
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
  await log.append(record("b"));
  assertEquals(await foundAfterPowerCut(), ["a", "b"]);
});

Deno.test("A log whose medium takes writes but no syncs stays readonly after a retry", async () => {
  const { disk, log, foundAfterPowerCut } = await openWithOne();
  disk.faults = (operation) => operation === "sync" ? "EIO" : undefined;
  await expectRefused(log);
  await log.retry();
  assertEquals(log.condition.state, "readonly");
  disk.faults = () => undefined;
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
  assertEquals(await foundAfterPowerCut(), ["a"]);
});

Deno.test("The owner is told once of each change of the condition of the log", async () => {
  const heard: unknown[] = [];
  const onCondition = (condition: unknown) => void heard.push(condition);
  const { disk, open } = simulatedLog({ checkpoint, onCondition });
  const log = await open();
  disk.faults = (operation) => operation === "create" ? "ENOSPC" : undefined;
  for (let tries = 0; tries < 3; tries++) await expectRefused(log);
  disk.faults = () => undefined;
  await log.append(record("a"));
  fail(disk, "rename", "EIO");
  await assertRejects(() => log.compact(), Error);
  await log.compact();
  await log.close();
  assertEquals(heard, [
    { state: "full", why: "no space left on the medium" },
    { state: "ok" },
    { state: "ok", compaction: "compaction failed: the medium failed" },
    { state: "ok" },
  ]);
});

Deno.test("An owner that throws at a change of the condition loses no record, and its error is uncaught", async () => {
  const onCondition = ({ state, compaction = state }: Condition) => {
    throw new Error(compaction);
  };
  const { disk, log, foundAfterPowerCut } = await openWithOne({ checkpoint, onCondition });
  const uncaught = await uncaughtDuring(async () => {
    fail(disk, "write", "EIO");
    await expectRefused(log, "the medium failed");
    await log.append(record("b"));
    await log.append(record("c"));
    fail(disk, "rename", "EIO");
    await assertRejects(() => log.compact(), Error);
    assertEquals(await foundAfterPowerCut(), ["a", "b", "c"]);
  });
  assertEquals(uncaught, ["readonly", "ok", "compaction failed: the medium failed"]);
});

Deno.test("A log is well again only once a checkpoint has stored the state in force", async () => {
  const states: string[] = [];
  const onCondition = ({ state }: { state: string }) => void states.push(state);
  const { disk, log, foundAfterPowerCut } = await openWithOne({ checkpoint, onCondition });
  disk.faults = () => "ENOSPC";
  await expectRefused(log);
  await log.retry({ stale: true });
  disk.faults = (operation) => operation === "rename" ? "ENOSPC" : undefined;
  await log.retry({ stale: true });
  assertEquals(log.condition.state, "full");
  disk.faults = () => undefined;
  await log.retry({ stale: true });
  assertEquals(states.filter((state, at) => state !== states[at - 1]), ["full", "ok"]);
  assertEquals(await foundAfterPowerCut(), ["state"]);
});

Deno.test("A compaction that waits for its medium does not delay appends", async () => {
  const { files: sound, foundAfterPowerCut } = simulatedLog();
  const held = Promise.withResolvers<void>();
  const files: typeof sound = {
    ...sound,
    rename: (from, to) => held.promise.then(() => sound.rename(from, to)),
  };
  const log = await openLog("data", { files, checkpoint });
  await log.append(record("a"));
  const compacted = log.compact();
  for (let count = 0; count < 50; count++) await log.append(record(`${count}`));
  held.resolve();
  await compacted;
  assertEquals((await foundAfterPowerCut()).length, 51);
});

Deno.test("A removed segment is noticed by a write that begins the next segment, and by a compaction", async () => {
  const { disk, files, open } = simulatedLog({ segmentBytes: 60, checkpoint });
  const log = await open();
  await log.append(record("a record that fills the first segment, so that a next one is begun"));
  disk.emptyFolder();
  const gone = "the data folder was emptied, removed or replaced";
  await expectRefused(log, gone);
  await assertRejects(() => log.compact(), Error, gone);
  assertEquals(log.condition.gone, true);
  assertEquals(await files.list("data"), []);
  await log.close();
});
