/** A medium that is small, or that others fill: the log stays within its bound and never wedges. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { recordsFrom } from "../../storage/format.ts";
import { type Log, openLog } from "../../storage/log.ts";
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
    open: () =>
      openLog("data", {
        files: disk.files,
        segmentBytes,
        checkpoint: () => [...state.values()],
        checkpointBytes: bytes,
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
