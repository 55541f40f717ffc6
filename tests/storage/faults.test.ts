/** A medium that is full or fails while the service runs. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { StorageError } from "../../storage/storage-error.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { chanceOf } from "./random.ts";
import { createDisk, type Operation, type SimulatedDisk } from "./simulated-disk.ts";
import { appendAll, collecting, record } from "./texts.ts";

function newDisk(): SimulatedDisk {
  return createDisk(chanceOf(7));
}

/** Makes the next `times` operations of the kind fail. */
function fail(disk: SimulatedDisk, operation: Operation, code: string, times = 1): void {
  disk.faults = (one) => one === operation && times-- > 0 ? code : undefined;
}

async function namesOn(disk: SimulatedDisk): Promise<string[]> {
  return (await disk.files.list("data")).sort();
}

async function contentAfterPowerCut(disk: SimulatedDisk): Promise<string[]> {
  disk.faults = () => undefined;
  disk.restart("power");
  const { found, options } = collecting();
  await (await openLog("data", { files: disk.files, ...options })).close();
  return found;
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
    ["ESTALE", "readonly", "the medium is another than before"],
    ["ETIMEDOUT", "readonly", "the medium does not answer"],
  ] as const
) {
  Deno.test(`${code} on a write: refused with the reason and place; the next record is stored`, async () => {
    const disk = newDisk();
    const log = await openLog("data", { files: disk.files });
    await log.append(record("a"));
    fail(disk, "write", code);
    const fault = await assertRejects(
      () => log.append(record("refused")),
      StorageError,
      `could not be stored: ${reason} (data, segment 1)`,
    );
    assertEquals([fault.fault, fault.certain], ["notStored", true]);
    assertEquals(log.condition, { state, why: reason });
    await log.append(record("b"));
    assertEquals(log.condition, { state: "ok" });
    assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
  });
}

Deno.test("A full medium: every record is refused, and stored again once there is space", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  disk.faults = (operation) =>
    operation === "write" || operation === "create" ? "ENOSPC" : undefined;
  for (let count = 0; count < 5; count++) {
    await assertRejects(() => log.append(record("refused")), StorageError, "no space left");
  }
  disk.faults = () => undefined;
  await log.append(record("b"));
  assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
});

Deno.test("Records too large for what space is left leave no segment behind each", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  disk.faults = (operation) => operation === "write" ? "ENOSPC" : undefined;
  for (let count = 0; count < 20; count++) {
    await assertRejects(() => log.append(record("refused")), StorageError, "no space left");
  }
  assertEquals(await namesOn(disk), ["00000001.log"]);
  disk.faults = () => undefined;
  await log.append(record("b"));
  assertEquals(await namesOn(disk), ["00000001.log"]);
  assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
});

Deno.test("After a failed write the segment is cut, and goes on", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  fail(disk, "write", "EIO");
  await assertRejects(() => log.append(record("refused")), StorageError);
  await log.append(record("b"));
  assertEquals(await namesOn(disk), ["00000001.log"]);
  assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
});

for (const operation of ["write", "sync", "truncate"] as const) {
  Deno.test(`300 failures at ${operation} that alternate with successes leave a handful of files`, async () => {
    const disk = newDisk();
    const log = await openLog("data", { files: disk.files });
    for (let count = 0; count < 300; count++) {
      await log.append(record(`${count}`));
      // Long enough that the segment has to be lengthened for it.
      fail(disk, operation, "ENOSPC");
      await log.append(record("x".repeat(20_000))).catch(() => {});
      disk.faults = () => undefined;
    }
    const names = await namesOn(disk);
    assert(names.length <= 8, `${names.length} files`);
  });
}

for (const seed of [1, 2, 3]) {
  Deno.test(`Where every other sync fails, at random, files stay within a bound (seed ${seed})`, async () => {
    const disk = createDisk(chanceOf(seed));
    const chance = chanceOf(seed + 100);
    const checkpoint = () => [record("state")];
    const log = await openLog("data", { files: disk.files, checkpoint });
    disk.faults = (operation) =>
      operation.startsWith("sync") && chance.hits(0.5) ? "EIO" : undefined;
    let most = 0;
    for (let count = 0; count < 500; count++) {
      await log.append(record(`${count}`)).catch(() => {});
      most = Math.max(most, (await namesOn(disk)).length);
    }
    assert(most <= 80, `${most} files`);
  });
}

Deno.test("When a write fails, what waits behind it fails too: what is stored is a prefix", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  fail(disk, "write", "EIO");
  const first = log.append(record("x".repeat(200_000)));
  const behind = [log.append(record("behind 1")), log.append(record("behind 2"))];
  const outcomes = await Promise.allSettled([first, ...behind]);
  assertEquals(outcomes.map(({ status }) => status), ["rejected", "rejected", "rejected"]);
  await log.append(record("b"));
  assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
});

Deno.test("A failed sync is never retried: when the cut cannot be synced, the next header says the end", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  disk.faults = (operation, path) =>
    operation === "sync" && path.endsWith("1.log") ? "EIO" : undefined;
  const fault = await assertRejects(() => log.append(record("refused")), StorageError);
  assert(fault.certain);
  assertEquals(await namesOn(disk), ["00000001.log", "00000002.log"]);
  await log.append(record("b"));
  assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
});

Deno.test("A refused record stays refused, also where its cut failed and then a header is lost", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  disk.faults = (operation, path) =>
    path.endsWith("1.log") && operation !== "write" ? "EIO" : undefined;
  // Long enough that the segment has to be lengthened for it.
  const fault = await assertRejects(() => log.append(record("x".repeat(5000))), StorageError);
  assert(fault.certain);
  disk.faults = () => undefined;
  disk.restart("kill");
  for (const place of [0, 4096]) {
    disk.tamper("00000002.log", (content) => content.fill(7, place, place + 512));
    const { found, options } = collecting();
    await (await openLog("data", { files: disk.files, ...options })).close();
    assertEquals(found, ["a"]);
    disk.tamper("00000002.log", (content) => {
      return content.copyWithin(place, 4096 - place, 4096 - place + 512);
    });
  }
});

Deno.test("When nothing at all can be written, the refusal says that it may not last", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  disk.faults = () => "EIO";
  const fault = await assertRejects(
    () => log.append(record("doubtful")),
    StorageError,
    "it may be found after a restart",
  );
  assertEquals(fault.certain, false);
  disk.faults = () => undefined;
  await log.append(record("b"));
  assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
});

Deno.test("Short writes are gone on with", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  disk.faults = (operation) => operation === "write" ? "SHORT" : undefined;
  await appendAll(log, ["one", "two", "x".repeat(5000)]);
  assertEquals(await contentAfterPowerCut(disk), ["one", "two", "x".repeat(5000)]);
});

for (const operation of ["write", "rename", "syncFolder"] as const) {
  Deno.test(`A compaction that fails at ${operation} leaves the old log, and is tried again`, async () => {
    const disk = newDisk();
    const checkpoint = () => [record("state")];
    const log = await openLog("data", { files: disk.files, checkpoint });
    await appendAll(log, ["a", "b"]);
    let onCheckpoint = 1;
    disk.faults = (one, path) => {
      const hit = one === operation && (operation === "syncFolder" || path.endsWith("reserve"));
      return hit && onCheckpoint-- === (operation === "syncFolder" ? 0 : 1) ? "ENOSPC" : undefined;
    };
    await assertRejects(() => log.compact(), Error, "compaction failed: no space left");
    const compaction = "compaction failed: no space left on the medium";
    assertEquals(log.condition, { state: "ok", compaction });
    assertEquals((await namesOn(disk)).filter((name) => name.includes("checkpoint")), []);
    await log.append(record("c"));
    disk.faults = () => undefined;
    await log.compact();
    assertEquals(log.condition, { state: "ok" });
    await log.append(record("d"));
    assertEquals(await contentAfterPowerCut(disk), ["state", "d"]);
  });
}

Deno.test("A compaction that failed is tried again once in a while, also where hardly anything grows", async () => {
  const disk = newDisk();
  const checkpoint = () => [record("state")];
  const log = await openLog("data", { files: disk.files, checkpoint, segmentBytes: 65_536 });
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
  Deno.test(`Where ${operation} fails as a checkpoint is replaced, all that is old is gone after the next compaction`, async () => {
    const disk = newDisk();
    const log = await openLog("data", { files: disk.files, checkpoint: () => [record("state")] });
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
    assertEquals(await namesOn(disk), ["00000003.checkpoint", "00000003.log", "reserve"]);
  });
}

Deno.test("A reserve that cannot be measured at the start is made anew", async () => {
  const disk = newDisk();
  const checkpoint = () => [record("state")];
  const log = await openLog("data", { files: disk.files, checkpoint });
  await log.append(record("a"));
  await log.close();
  disk.faults = (operation, path) =>
    operation === "size" && path.endsWith("reserve") ? "EIO" : undefined;
  const { found, options } = collecting();
  const again = await openLog("data", { files: disk.files, checkpoint, ...options });
  assertEquals([found, again.condition], [["a"], { state: "ok" }]);
  await again.append(record("b"));
  assertEquals(again.condition, { state: "ok" });
  assert(again.space.held > 512 * 1024, `${again.space.total} bytes`);
  await again.close();
});

Deno.test("A reserve that somebody deletes is made anew", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files, checkpoint: () => [record("state")] });
  await log.append(record("a"));
  const deleted = () => disk.files.remove("data/reserve");
  await deleted();
  await log.compact();
  assertEquals(log.condition, { state: "ok" });
  await log.append(record("b"));
  await deleted();
  await log.append(record("c".repeat(600_000)));
  assertEquals(log.condition, { state: "ok" });
  assertEquals((await namesOn(disk)).includes("reserve"), true);
  await log.close();
});

Deno.test("A log whose end cannot be made safe opens with all its records, and stores more once it can", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  await log.close();
  disk.faults = (operation) => operation === "syncFolder" ? "EROFS" : undefined;
  const { found, options } = collecting();
  const again = await openLog("data", { files: disk.files, ...options });
  assertEquals(found, ["a"]);
  const readonly = { state: "readonly", why: "the medium is read-only" } as const;
  assertEquals(again.condition, readonly);
  await assertRejects(() => again.append(record("b")), StorageError, "the medium is read-only");
  await again.retry();
  assertEquals(again.condition, readonly);
  disk.faults = () => undefined;
  await again.retry();
  assertEquals(again.condition, { state: "ok" });
  await again.append(record("b"));
  assertEquals(await contentAfterPowerCut(disk), ["a", "b"]);
});

Deno.test("A log whose medium takes writes but no syncs is not well at a retry", async () => {
  const disk = newDisk();
  const log = await openLog("data", { files: disk.files });
  await log.append(record("a"));
  disk.faults = (operation) => operation === "sync" ? "EIO" : undefined;
  await assertRejects(() => log.append(record("b")), StorageError);
  await log.retry();
  assertEquals(log.condition.state, "readonly");
  disk.faults = () => undefined;
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
  assertEquals(await contentAfterPowerCut(disk), ["a"]);
});

Deno.test("The owner hears of each change of the log's condition, once", async () => {
  const disk = newDisk();
  const heard: unknown[] = [];
  const onCondition = (condition: unknown) => void heard.push(condition);
  const checkpoint = () => [record("state")];
  const log = await openLog("data", { files: disk.files, checkpoint, onCondition });
  disk.faults = (operation) => operation === "create" ? "ENOSPC" : undefined;
  for (let tries = 0; tries < 3; tries++) {
    await assertRejects(() => log.append(record("a")), StorageError);
  }
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

Deno.test("What is in force but was not stored is, in a checkpoint, before a log is well again", async () => {
  const disk = newDisk();
  const states: string[] = [];
  const checkpoint = () => [record("in force")];
  const onCondition = ({ state }: { state: string }) => void states.push(state);
  const log = await openLog("data", { files: disk.files, checkpoint, onCondition });
  await log.append(record("a"));
  disk.faults = () => "ENOSPC";
  await assertRejects(() => log.append(record("b")), StorageError);
  await log.retry({ stale: true });
  disk.faults = (operation) => operation === "rename" ? "ENOSPC" : undefined;
  await log.retry({ stale: true });
  assertEquals(log.condition.state, "full");
  disk.faults = () => undefined;
  await log.retry({ stale: true });
  assertEquals(states.filter((state, at) => state !== states[at - 1]), ["full", "ok"]);
  assertEquals(await contentAfterPowerCut(disk), ["in force"]);
});

Deno.test("Appends are not held up by a compaction that waits for its medium", async () => {
  const disk = newDisk();
  const held = Promise.withResolvers<void>();
  const files: typeof disk.files = {
    ...disk.files,
    rename: (from, to) => held.promise.then(() => disk.files.rename(from, to)),
  };
  const log = await openLog("data", { files, checkpoint: () => [record("state")] });
  await log.append(record("a"));
  const compacted = log.compact();
  for (let count = 0; count < 50; count++) await log.append(record(`${count}`));
  held.resolve();
  await compacted;
  assertEquals((await contentAfterPowerCut(disk)).length, 51);
});

Deno.test("A segment that was removed is noticed by a write that would begin the next, and by a compaction", async () => {
  const disk = createDisk(chanceOf(1));
  const checkpoint = () => [record("state")];
  const log = await openLog("data", { files: disk.files, segmentBytes: 60, checkpoint });
  await log.append(record("a record that fills the first segment, so that a next one is begun"));
  disk.emptyFolder();
  const gone = "the data folder was emptied or removed";
  await assertRejects(() => log.append(record("next")), StorageError, gone);
  await assertRejects(() => log.compact(), Error, gone);
  assertEquals(log.condition.gone, true);
  assertEquals(await namesOn(disk), ["reserve"]);
  await log.close();
});
