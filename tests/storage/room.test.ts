/** A small medium, or one that others fill: the log stays within its bound and never locks up. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { recordsFrom } from "../../storage/format.ts";
import type { LogOptions } from "../../storage/contract.ts";
import { wrapFiles } from "../../storage/file-system.ts";
import { StorageError } from "../../storage/storage-error.ts";
import { simulatedLog } from "./texts.ts";

const segmentBytes = 512 * 1024;
const pictures = 8;
const pictureBytes = 256 * 1024;
/** Bytes of the headers of the maximum number of files. */
const headers = 10 * recordsFrom;
const small = 100;
const sets = 10;

/** The owner of a log: pictures that are replaced again and again, and small values. */
async function owner(capacity = Infinity, options: LogOptions = {}) {
  const state = new Map<string, Uint8Array>();
  const { disk, files, open } = simulatedLog({
    segmentBytes,
    checkpoint: () => [...state.values()],
    checkpointBytes: () => [...state.values()].reduce((sum, { length }) => sum + 600 + length, 0),
    ...options,
  }, 5);
  disk.capacity = capacity;
  let peak = 0;
  disk.faults = () => void (peak = Math.max(peak, disk.used));
  const one = {
    log: await open(),
    disk,
    files,
    state,
    open,
    put,
    set,
    upload,
    fill,
    peak: () => peak,
  };

  async function put(name: string, length: number): Promise<void> {
    const record = new Uint8Array(length).fill(name.charCodeAt(0));
    await one.log.append(record);
    state.set(name, record);
  }

  /** Sets small values, one after the other. */
  async function set(times: number, between = async (_turn: number) => {}): Promise<void> {
    for (let turn = 0; turn < times; turn++) {
      await put(`set ${turn % sets}`, small);
      await between(turn);
    }
  }

  async function upload(from = 0, times = pictures): Promise<void> {
    for (let at = from; at < from + times; at++) {
      await put(`picture ${at % pictures}`, pictureBytes);
    }
  }

  /** Fills the medium, as another program would. */
  function fill(): void {
    disk.capacity = disk.used;
  }

  return one;
}

const refused = (work: Promise<unknown>) =>
  assertRejects(() => work, StorageError, "no space left");

/** The bound of a log in bytes (docs/storage.md). */
const boundOf = (live: number, largest: number) =>
  2.5 * live + segmentBytes + 2 * largest + headers;

for (const uploaders of [1, 3]) {
  Deno.test(`With ${uploaders} uploaders a log on a medium of the size of its bound takes all records`, async () => {
    const bound = boundOf(pictures * (pictureBytes + 1200), pictureBytes + 1024);
    const { log, set, upload, peak } = await owner(bound);
    await upload();
    const uploads = Array.from({ length: uploaders }, (_, from) => upload(from, 30));
    await Promise.all([...uploads, set(200)]);
    assert(peak() <= bound, `${peak()} of ${bound} bytes`);
    assertEquals(log.condition, { state: "ok" });
    await log.close();
  });
}

Deno.test("On a full medium large records are refused and small ones stored without end, and the log stays full", async () => {
  const states: string[] = [];
  const onCondition = ({ state }: { state: string }) => void states.push(state);
  const { log, disk, put, set, upload, fill } = await owner(Infinity, { onCondition });
  await upload();
  fill();
  await set(1000, async (turn) => {
    if (turn % 10 === 9) await log.retry();
  });
  assert(states.length <= 5, states.join());
  for (let turn = 0; turn < 5; turn++) await refused(put("one more", 8 * pictureBytes));
  assertEquals(log.condition.state, "full");
  await set(1);
  disk.capacity = Infinity;
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
  await put("one more", pictureBytes);
  await log.close();
});

Deno.test("A log whose next checkpoint is estimated with a fraction of a byte takes records", async () => {
  const random = {
    bytes(count: number) {
      assert(Number.isInteger(count), `expected a whole number of bytes, got ${count}`);
      return crypto.getRandomValues(new Uint8Array(count));
    },
  };
  const records: Uint8Array[] = [];
  const { open } = simulatedLog({
    segmentBytes,
    checkpoint: () => records,
    checkpointBytes: () => records.reduce((sum, { length }) => sum + 600 + length, 0.5),
  });
  const log = await open({ random });
  for (let count = 0; count < 8; count++) {
    const record = new Uint8Array(64 * 1024);
    await log.append(record);
    records.push(record);
  }
  assertEquals(log.condition, { state: "ok" });
  await log.close();
});

for (const bytes of [15_000, 3000]) {
  for (const ending of ["kill", undefined] as const) {
    const when = ending === undefined ? "" : " after a kill";
    Deno.test(`A medium that the log has filled with records of ${bytes} bytes takes small values and removals${when}`, async () => {
      const pause = () => new Promise<void>((next) => setImmediate(next));
      const one = await owner(6 * segmentBytes, { scheduler: { ...withoutPauses, pause } });
      const { disk, state, put, set } = one;
      await set(sets);
      let refusals = 0;
      const save = async (uploader: number) => {
        for (let at = 0; refusals < 40; at++) {
          await put(`saved ${uploader} ${at}`, bytes).catch(() => refusals++);
        }
      };
      await Promise.all([save(1), save(2), save(3)]);
      assertEquals(one.log.condition.state, "full");
      if (ending !== undefined) {
        disk.restart(ending);
        one.log = await one.open();
      }
      await set(500);
      const saved = [...state.keys()].filter((name) => name.startsWith("saved"));
      for (const name of saved.slice(0, saved.length / 2)) {
        await one.log.append(new Uint8Array(small));
        state.delete(name);
      }
      await one.log.retry();
      assertEquals(one.log.condition, { state: "ok" });
      await put("one more", bytes);
      await one.log.close();
    });
  }
}

Deno.test("Compactions that fail again and again leave one segment", async () => {
  const { log, disk, files, set } = await owner();
  await set(sets);
  disk.faults = (operation, path) =>
    operation === "sync" && path.endsWith("/reserve") ? "EIO" : undefined;
  for (let turn = 0; turn < 5; turn++) await assertRejects(() => log.compact());
  const names = (await files.list("data")).filter((name) => name.endsWith(".log"));
  assertEquals(names.sort(), ["00000001.log", "00000002.log"]);
  disk.faults = () => undefined;
  await log.compact();
  await log.compact();
  await set(1);
  await log.close();
});

for (const wasFull of [true, false]) {
  const what = wasFull ? "waits" : "does not wait";
  Deno.test(`On a medium that was ${wasFull ? "" : "not "}full a large record ${what} for the checkpoint that is being written`, async () => {
    const { log, disk, put, set, compacted, goOnAfter } = await compactingAndFull({ wasFull });
    disk.capacity = Infinity;
    let isCompacted = false;
    compacted.then(() => isCompacted = true);
    if (!wasFull) await set(sets);
    const stored = put("one more", 5000).then(() => assertEquals(isCompacted, wasFull));
    await goOnAfter(stored);
    await stored;
    await compacted;
    await log.close();
  });
}

Deno.test("A folder that is emptied after a failed compaction gets no checkpoint", async () => {
  const { log, disk, files, set } = await owner();
  await set(sets);
  disk.faults = (operation, path) =>
    operation === "sync" && path.endsWith("/reserve") ? "EIO" : undefined;
  await assertRejects(() => log.compact());
  disk.faults = () => undefined;
  disk.emptyFolder();
  await assertRejects(() => log.compact(), Error, "emptied, removed or replaced");
  assertEquals(await files.list("data"), []);
  await log.close();
});

Deno.test("A full log is well again at a retry once there is space", async () => {
  const { log, disk, put, fill } = await owner();
  await put("picture", pictureBytes);
  fill();
  await refused(put("another", pictureBytes));
  await log.compact();
  disk.capacity += 4 * pictureBytes;
  await log.retry();
  await put("another", pictureBytes);
  assertEquals(log.condition, { state: "ok" });
  await log.close();
});

/** A log of pictures and small values on a full medium, whose checkpoint is nearly written. */
async function compactingAndFull({ wasFull = false } = {}) {
  let pauses = -Infinity;
  let reach = () => {};
  let goOn = () => {};
  const reached = new Promise<void>((resolve) => reach = resolve);
  const gate = new Promise<void>((resolve) => goOn = resolve);
  const pause = () => {
    if (++pauses !== 2) return undefined;
    reach();
    return gate;
  };
  const one = await owner(Infinity, { scheduler: { ...withoutPauses, pause } });
  await one.upload();
  await one.set(sets);
  await one.log.compact();
  if (wasFull) {
    one.fill();
    while (one.log.condition.state === "ok") await one.set(1);
    one.disk.capacity = Infinity;
  }
  pauses = 0;
  const compacted = one.log.compact();
  await reached;
  one.fill();

  /** Lets the checkpoint go on once `work` is done, or waits for the checkpoint. */
  async function goOnAfter(work: Promise<unknown>): Promise<void> {
    // The simulated disk takes turns of the event loop, and no time.
    const turns = async () => {
      for (let turn = 0; turn < 2000; turn++) await new Promise((next) => setImmediate(next));
    };
    await Promise.race([work, turns()]);
    goOn();
  }

  return { ...one, compacted, goOnAfter };
}

Deno.test("Small records on a full medium do not cut the checkpoint that is being written, although the state has become small", async () => {
  const { log, disk, state, compacted, goOnAfter, put, open } = await compactingAndFull();
  const before = state.size;
  const written = (async () => {
    for (let at = 0; at < pictures; at++) await put(`picture ${at}`, 10);
    for (let at = 0; at < 200; at++) await put(`set ${at % sets}`, 2000);
  })();
  await goOnAfter(written);
  await Promise.all([compacted, written]);
  disk.capacity = Infinity;
  await log.close();
  let found = 0;
  const again = await open({ replay: () => void found++ });
  assertEquals(again.condition, { state: "ok" });
  assertEquals(found, before + pictures + 200);
  await again.close();
});

Deno.test("A small record that waits for a checkpoint on a full medium is stored although the checkpoint fails", async () => {
  const { log, disk, compacted, goOnAfter, set } = await compactingAndFull();
  const failed = assertRejects(() => compacted, Error, "the medium failed");
  disk.faults = (operation, path) =>
    operation === "sync" && path.endsWith("/reserve") ? "EIO" : undefined;
  const written = set(20);
  await goOnAfter(written);
  await Promise.all([failed, written]);
  await log.close();
});

Deno.test("A record that finds no space is stored in the space that a compaction frees before its write is undone", async () => {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const undo = Promise.withResolvers<void>();
  let isCompacting = false;
  const pause = () => {
    if (!isCompacting) return undefined;
    reached.resolve();
    return goOn.promise;
  };
  const one = await owner(Infinity, { scheduler: { ...withoutPauses, pause } });
  const { files, put, upload, fill, open } = one;
  await upload();
  await one.log.compact();
  await one.log.close();
  one.log = await open({
    files: wrapFiles(files, (file) => ({
      ...file,
      async write(bytes, offset) {
        try {
          return await file.write(bytes, offset);
        } catch (fault) {
          failed.resolve();
          await undo.promise;
          throw fault;
        }
      },
    })),
  });
  await upload(0, 3);
  isCompacting = true;
  const compacted = one.log.compact();
  await reached.promise;
  fill();
  const stored = put("one more", 4000);
  await failed.promise;
  goOn.resolve();
  await compacted;
  undo.resolve();
  await stored;
  await one.log.retry();
  assertEquals(one.log.condition, { state: "ok" });
  await one.log.close();
});

/** A killed log with few live bytes, on a medium that another program has filled. */
async function killedAndFull() {
  const one = await owner();
  await one.set(700);
  one.disk.restart("kill");
  one.fill();
  one.log = await one.open();
  return one;
}

/** The records that a start finds after a power cut. */
async function foundAfterPowerCut({ disk, open }: Awaited<ReturnType<typeof owner>>) {
  disk.restart("power");
  disk.capacity = Infinity;
  const found: string[] = [];
  const log = await open({ replay: (bytes) => void found.push(bytes.join()) });
  assertEquals(log.condition, { state: "ok" });
  await log.close();
  return found;
}

const works: Readonly<Record<string, (one: Awaited<ReturnType<typeof owner>>) => Promise<void>>> = {
  "the first record": ({ set }) => set(1),
  "a retry": ({ log }) => log.retry(),
  "a compaction": ({ log }) => log.compact(),
};

for (const [what, work] of Object.entries(works)) {
  Deno.test(`After a kill, on a full medium where the last segment cannot be copied, ${what} writes a checkpoint instead`, async () => {
    const one = await killedAndFull();
    const { log, files, set, state } = one;
    assertEquals(log.condition.state, "full");
    assertEquals((await files.list("data")).filter((name) => name.endsWith(".new")), []);
    await work(one);
    assert(log.space.live > 0);
    await set(500);
    await log.retry();
    assertEquals(log.condition, { state: "ok" });
    const texts = [...state.values()].map((record) => record.join());
    assertEquals((await foundAfterPowerCut(one)).slice(0, sets), texts);
  });
}

Deno.test("A power cut while a checkpoint replaces a segment loses no acknowledged record", async () => {
  let isWhole = false;
  for (let operations = 1; !isWhole; operations++) {
    const one = await killedAndFull();
    const { disk, put, state } = one;
    const before = [...state.values()].map((record) => record.join());
    disk.failPowerIn(operations);
    isWhole = await put("one more", small).then(() => true, () => false);
    const found = await foundAfterPowerCut(one);
    const last = found.filter((text) => text !== new Uint8Array(small).fill(111).join());
    assertEquals(last.slice(-sets), before, `after ${operations} operations`);
    if (isWhole) assertEquals(found.length, sets + 1);
  }
});

Deno.test("A full log compacts at a retry, however little space that frees, but not if it frees none", async () => {
  const { log, disk, put, set, fill } = await owner();
  await set(60);
  fill();
  await refused(put("picture", pictureBytes));
  assertEquals(log.space.live, 0);
  await log.retry();
  assert(log.space.live > 0);
  fill();
  await refused(put("picture", pictureBytes));
  let renames = 0;
  disk.faults = (operation) => void (renames += operation === "rename" ? 1 : 0);
  await log.retry();
  assertEquals(renames, 0);
  await log.close();
});

Deno.test("300 failures of a sync and its cut, alternating with successes, leave at most 24 files", async () => {
  const { log, disk, files, set } = await owner();
  await set(300, async () => {
    let left = 2;
    disk.faults = (operation, path) => {
      const isHit = path.endsWith(".log") && operation === (left === 2 ? "sync" : "truncate");
      return isHit && left-- > 0 ? "EIO" : undefined;
    };
    await log.append(new Uint8Array(small)).catch(() => {});
    disk.faults = () => undefined;
  });
  const names = await files.list("data");
  assert(names.length <= 24, `${names.length} files`);
  await log.close();
});

Deno.test("A log whose first checkpoint is written on a full medium goes on taking small records", async () => {
  const { disk, log, set, fill } = await owner();
  await set(20);
  fill();
  await log.compact();
  await set(1000, async (turn) => {
    if (turn % 50 === 0) await log.retry();
  });
  assert(disk.content("reserve").length > 0);
  await log.close();
});
