/** A medium that is small, or that others fill: the log stays within its bound and never wedges. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { recordsFrom } from "../../storage/format.ts";
import { type Log, type LogOptions, openLog } from "../../runtimes/deno/log.ts";
import { StorageError } from "../../storage/storage-error.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";

const segmentBytes = 512 * 1024;
const pictures = 8;
const pictureBytes = 256 * 1024;
/** The headers of the files that there may be. */
const headers = 10 * recordsFrom;
const small = 100;

/** The owner of a log: pictures, each of which is replaced again and again, and small values. */
function owner(capacity: number) {
  const disk = createDisk(chanceOf(5));
  disk.capacity = capacity;
  const state = new Map<string, Uint8Array>();
  const bytes = () => [...state.values()].reduce((sum, { length }) => sum + 600 + length, 0);
  let peak = 0;
  const measure = () => void (peak = Math.max(peak, disk.used));
  disk.faults = () => void measure();
  async function put(log: Log, name: string, length: number): Promise<void> {
    const record = new Uint8Array(length).fill(name.charCodeAt(0));
    await log.append(record);
    state.set(name, record);
  }
  return {
    disk,
    state,
    put,
    get live() {
      return bytes();
    },
    get peak() {
      return peak;
    },
    open: (options: LogOptions = {}) =>
      openLog("data", {
        files: disk.files,
        segmentBytes,
        checkpoint: () => [...state.values()],
        checkpointBytes: bytes,
        ...options,
      }),
  };
}

/** What docs/storage.md says. */
const boundOf = (live: number, largest: number) =>
  2.5 * live + segmentBytes + 2 * largest + headers;

for (const uploaders of [1, 3]) {
  Deno.test(`With ${uploaders} uploaders a log on a medium of its bound takes all, and stays within it`, async () => {
    const live = pictures * (pictureBytes + 1200);
    const bound = boundOf(live, pictureBytes + 1024);
    const one = owner(bound);
    const log = await one.open();
    for (let at = 0; at < pictures; at++) await one.put(log, `picture ${at}`, pictureBytes);
    const upload = async (number: number) => {
      for (let turn = 0; turn < 30; turn++) {
        await one.put(log, `picture ${(number + turn) % pictures}`, pictureBytes);
      }
    };
    const set = async () => {
      for (let turn = 0; turn < 200; turn++) await one.put(log, `set ${turn % 10}`, small);
    };
    await Promise.all([...Array.from({ length: uploaders }, (_, at) => upload(at)), set()]);
    assert(one.peak <= bound, `${one.peak} of ${bound} bytes`);
    assertEquals(log.condition, { state: "ok" });
    await log.close();
  });
}

Deno.test("A full medium refuses what is large; what is small goes on, for as long as it takes", async () => {
  const one = owner(Infinity);
  const log = await one.open();
  for (let at = 0; at < pictures; at++) await one.put(log, `picture ${at}`, pictureBytes);
  // Somebody else fills the medium.
  one.disk.capacity = one.disk.used;
  for (let turn = 0; turn < 1000; turn++) await one.put(log, `set ${turn % 10}`, small);
  for (let turn = 0; turn < 5; turn++) {
    await assertRejects(() => one.put(log, "one more", 8 * pictureBytes), StorageError, "no space");
  }
  assertEquals(log.condition.state, "full");
  await one.put(log, "set 0", small);
  // It goes away.
  one.disk.capacity = Infinity;
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
  await one.put(log, "one more", pictureBytes);
  await log.close();
});

Deno.test("A log that is full is well again by itself once there is room", async () => {
  const one = owner(Infinity);
  const log = await one.open();
  await one.put(log, "picture", pictureBytes);
  one.disk.capacity = one.disk.used;
  await assertRejects(() => one.put(log, "another", pictureBytes), StorageError, "no space left");
  await log.compact();
  one.disk.capacity += 4 * pictureBytes;
  await log.retry();
  await one.put(log, "another", pictureBytes);
  assertEquals(log.condition, { state: "ok" });
  await log.close();
});

const sets = 10;

/** A log of which hardly anything is live, killed; then somebody else fills the medium. */
async function killedAndFull() {
  const one = owner(Infinity);
  const log = await one.open();
  for (let turn = 0; turn < 700; turn++) await one.put(log, `set ${turn % sets}`, small);
  one.disk.restart("kill");
  one.disk.capacity = one.disk.used;
  return one;
}

/** The records that a start finds after a power cut. */
async function foundAfterPowerCut({ disk, open }: ReturnType<typeof owner>): Promise<string[]> {
  disk.restart("power");
  disk.capacity = Infinity;
  const found: string[] = [];
  const log = await open({ replay: (bytes) => void found.push(bytes.join()) });
  assertEquals(log.condition, { state: "ok" });
  await log.close();
  return found;
}

for (
  const [what, work] of [
    ["the first record", (log, one) => one.put(log, "set 0", small)],
    ["a retry", (log) => log.retry()],
    ["a compaction", (log) => log.compact()],
  ] as readonly (readonly [string, (log: Log, one: ReturnType<typeof owner>) => Promise<void>])[]
) {
  Deno.test(`After a kill and on a full medium, where the last segment cannot be copied, ${what} has a checkpoint stand for it`, async () => {
    const one = await killedAndFull();
    const log = await one.open();
    assertEquals(log.condition.state, "full");
    const names = await one.disk.files.list("data");
    assertEquals(names.filter((name) => name.endsWith(".new")), []);
    await work(log, one);
    assertEquals(log.space.live > 0, true);
    for (let turn = 0; turn < 500; turn++) await one.put(log, `set ${turn % sets}`, small);
    await log.retry();
    assertEquals(log.condition, { state: "ok" });
    const texts = [...one.state.values()].map((record) => record.join());
    const found = await foundAfterPowerCut(one);
    assertEquals(found.slice(0, sets), texts);
  });
}

Deno.test("Power that goes while a checkpoint comes to stand for a segment takes nothing that was acknowledged", async () => {
  let isWhole = false;
  for (let operations = 1; !isWhole; operations++) {
    const one = await killedAndFull();
    const { disk, state } = one;
    const before = [...state.values()].map((record) => record.join());
    const log = await one.open();
    disk.failPowerIn(operations);
    isWhole = await one.put(log, "one more", small).then(() => true, () => false);
    const found = await foundAfterPowerCut(one);
    const last = found.filter((text) => text !== new Uint8Array(small).fill(111).join());
    assertEquals(last.slice(-sets), before, `after ${operations} operations`);
    if (isWhole) assertEquals(found.length, sets + 1);
  }
});

Deno.test("A log that is full compacts at a retry, however little that wins, and not for nothing", async () => {
  const one = owner(Infinity);
  const log = await one.open();
  for (let turn = 0; turn < 60; turn++) await one.put(log, `set ${turn % sets}`, small);
  one.disk.capacity = one.disk.used;
  await assertRejects(() => one.put(log, "picture", pictureBytes), StorageError, "no space left");
  assertEquals(log.space.live, 0);
  await log.retry();
  const { live } = log.space;
  assert(live > 0);
  one.disk.capacity = one.disk.used;
  await assertRejects(() => one.put(log, "picture", pictureBytes), StorageError, "no space left");
  let writes = 0;
  one.disk.faults = (operation) => void (writes += operation === "rename" ? 1 : 0);
  await log.retry();
  assertEquals(writes, 0);
  await log.close();
});

Deno.test("On a full medium a log stays full, while small records are stored and retries come", async () => {
  const one = owner(Infinity);
  const states: string[] = [];
  const log = await one.open({ onCondition: ({ state }) => void states.push(state) });
  for (let at = 0; at < pictures; at++) await one.put(log, `picture ${at}`, pictureBytes);
  one.disk.capacity = one.disk.used;
  for (let turn = 0; turn < 1000; turn++) {
    await one.put(log, `set ${turn % sets}`, small);
    if (turn % 10 === 9) await log.retry();
  }
  assert(states.length <= 5, states.join());
  await log.close();
});

Deno.test("1,200 syncs and cuts that fail together, alternating with successes, leave a handful of files", async () => {
  const one = owner(Infinity);
  const log = await one.open();
  for (let turn = 0; turn < 1200; turn++) {
    await one.put(log, `set ${turn % sets}`, small);
    let left = 2;
    one.disk.faults = (operation, path) => {
      const isHit = path.endsWith(".log") && operation === (left === 2 ? "sync" : "truncate");
      return isHit && left-- > 0 ? "EIO" : undefined;
    };
    await log.append(new Uint8Array(small)).catch(() => {});
    one.disk.faults = () => undefined;
  }
  const names = await one.disk.files.list("data");
  assert(names.length <= 24, `${names.length} files`);
  await log.close();
});

Deno.test("A log whose first checkpoint is written on a full medium goes on taking small records", async () => {
  const one = owner(Infinity);
  const log = await one.open();
  for (let turn = 0; turn < 20; turn++) await one.put(log, `set ${turn % sets}`, small);
  one.disk.capacity = one.disk.used;
  await log.compact();
  for (let turn = 0; turn < 1000; turn++) {
    await one.put(log, `set ${turn % sets}`, small);
    if (turn % 50 === 0) await log.retry();
  }
  assert(log.space.held > 0);
  await log.close();
});
