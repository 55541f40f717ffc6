/** The contract of every store, on a medium or in memory. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { concat } from "@std/bytes/concat";
import { StorageError } from "../../storage/storage-error.ts";
import { type Log, type LogOptions, openLog } from "../../runtimes/deno/log.ts";
import { openMemoryLog } from "../../storage/memory.ts";
import { openSqlLog } from "../../storage/sql-log.ts";
import { openLog as openLogByNode } from "./node-log.ts";
import { sqliteStorage } from "./sqlite.ts";
import { appendAll, inFolder, record, text } from "./texts.ts";

type Open = (options?: LogOptions) => Promise<Log>;

/** The stores by name: each runs an action with a function that opens the same store each time. */
const stores: Record<string, (action: (open: Open) => Promise<void>) => Promise<void>> = {
  "The log": (action) => inFolder((folder) => action((options) => openLog(folder, options))),
  "The log on Node's file system": (action) =>
    inFolder((folder) => action((options) => openLogByNode(folder, options))),
  "The memory store": (action) => {
    const medium: Uint8Array[] = [];
    return action((options) => openMemoryLog(options, medium));
  },
  "The log in SQLite": async (action) => {
    using storage = sqliteStorage();
    await action((options) => openSqlLog(storage, options));
  },
};

/** Opens a store, reads all its records, and closes it. */
async function allOf(open: Open): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  await (await open({ replay: (payload) => void found.push(payload.slice()) })).close();
  return found;
}

const textsOf = async (open: Open) => (await allOf(open)).map(text);

/** Bytes that differ at each place. */
const bytesOf = (length: number, shift = 0) =>
  Uint8Array.from({ length }, (_, at) => (at + shift) * 31 ^ at >> 8);

for (const [name, on] of Object.entries(stores)) {
  Deno.test(`${name} acknowledges records and gives them back in the order of the calls`, () =>
    on(async (open) => {
      const texts = Array.from({ length: 300 }, (_, index) => `label ${index}`);
      const log = await open();
      const order: string[] = [];
      await Promise.all(
        texts.slice(0, 200).map((one) => log.append(record(one)).then(() => order.push(one))),
      );
      assertEquals(order, texts.slice(0, 200));
      for (const one of texts.slice(200)) await log.append(record(one));
      await log.close();
      assertEquals(await textsOf(open), texts);
      const again = await open();
      assertEquals(again.recovery, { records: 300, bytes: texts.join("").length });
      await again.close();
    }));

  Deno.test(`${name} gives back the exact bytes of records, from one byte to more than a segment, also of records in parts`, () =>
    on(async (open) => {
      const wholes = [1, 11, 12, 13, 127, 64 * 1024 - 12, 64 * 1024, 300_000].map((length) =>
        bytesOf(length)
      );
      const sizes = [[3], [1, 2], [5, 0, 7], [100, 64 * 1024], [64 * 1024 - 101, 101, 1]];
      const parted = [...sizes, [70_000, 1, 70_000, 200_000]].map((lengths) =>
        lengths.map((length, part) => bytesOf(length, part))
      );
      const log = await open({ segmentBytes: 100_000 });
      await Promise.all([...wholes, ...parted].map((one) => log.append(one)));
      await assertRejects(() => log.append([new Uint8Array()]), RangeError, "0 bytes");
      await log.close();
      assertEquals(await allOf(open), [...wholes, ...parted.map((parts) => concat(parts))]);
    }));

  Deno.test(`${name} refuses an empty record, and names the sizes it takes`, () =>
    on(async (open) => {
      const log = await open();
      await assertRejects(
        () => log.append(new Uint8Array()),
        RangeError,
        "a record of 0 bytes, expected 1 to 536870912",
      );
      await log.close();
      assertEquals(await allOf(open), []);
    }));

  Deno.test(`${name} stores all appended records when it is closed, and takes none afterwards`, () =>
    on(async (open) => {
      const log = await open();
      const pending = appendAll(log, ["a", "b"]);
      const closed = log.close();
      await assertRejects(() => log.append(record("late")), StorageError, "the log is closed");
      await Promise.all([pending, closed, log.close()]);
      assertEquals(await textsOf(open), ["a", "b"]);
    }));

  Deno.test(`${name} replaces its records by the checkpoint, and keeps records that are appended meanwhile`, () =>
    on(async (open) => {
      let state: string[] = [];
      const log = await open({ checkpoint: () => state.map((one) => record(`kept ${one}`)) });
      const append = async (one: string) => {
        await log.append(record(one));
        state = [...state, one];
      };
      await Promise.all(["a", "b", "c"].map(append));
      state = ["b", "c"];
      const compacted = log.compact();
      await Promise.all(["d", "e"].map(append));
      await compacted;
      await append("f");
      await log.close();
      const found = await textsOf(open);
      assertEquals(found.map((one) => one.replace("kept ", "")), ["b", "c", "d", "e", "f"]);
      assertEquals(found.slice(0, 2), ["kept b", "kept c"]);
      assertEquals(found.at(-1), "f");
    }));

  Deno.test(`${name} takes the checkpoint once the code behind every acknowledged append has run`, () =>
    on(async (open) => {
      const state: string[] = [];
      const log = await open({ checkpoint: () => state.map(record) });
      const append = async (one: string) => {
        await log.append(record(one));
        const compacted = log.compact();
        for (let hops = 0; hops < 50; hops++) await undefined;
        state.push(one);
        await compacted;
      };
      await Promise.all([append("a"), append("b")]);
      await log.close();
      assertEquals(await textsOf(open), ["a", "b"]);
    }));

  Deno.test(`${name} compacts itself when it has enough dead bytes`, () =>
    on(async (open) => {
      let last = "";
      const log = await open({ checkpoint: () => [record(last)], segmentBytes: 4096 });
      for (let count = 0; count < 150; count++) {
        const label = `label ${count}`;
        await log.append(record(label));
        last = label;
      }
      assert(log.space.total < 8 * 4096, `${log.space.total} bytes`);
      await log.close();
      const found = await textsOf(open);
      assertEquals(found.at(-1), "label 149");
      assert(found.length < 150, `${found.length} records`);
    }));

  Deno.test(`${name} cannot be compacted without a checkpoint to write`, () =>
    on(async (open) => {
      const log = await open();
      await assertRejects(() => log.compact(), TypeError, "no checkpoint");
      await log.close();
    }));
}

Deno.test("The memory store compacts to any number of records", async () => {
  const records = Array<Uint8Array>(150_000).fill(record("label"));
  const medium: Uint8Array[] = [];
  const log = await openMemoryLog({ checkpoint: () => records }, medium);
  await log.append(record("last"));
  await log.compact();
  assertEquals(medium.length, records.length);
  await log.close();
});
