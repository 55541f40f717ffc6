/** One durable write for all that wait for it. */
import { assertEquals } from "@std/assert";
import { openLog } from "../../storage/log.ts";
import { chanceOf } from "./random.ts";
import { createDisk } from "./simulated-disk.ts";
import { appendAll, record } from "./texts.ts";

async function logWithOneRecord() {
  const disk = createDisk(chanceOf(3));
  const log = await openLog("data", { files: disk.files });
  await log.append(record("first"));
  let writes = 0;
  disk.faults = (operation) => {
    if (operation === "write") writes += 1;
    return undefined;
  };
  return { log, writes: () => writes };
}

const labels = Array.from({ length: 64 }, (_, at) => `label ${at}`);

Deno.test("Records appended in one turn share one write", async () => {
  const { log, writes } = await logWithOneRecord();
  await appendAll(log, labels);
  assertEquals(writes(), 1);
});

Deno.test("Records appended while a write is under way share the next one", async () => {
  const { log, writes } = await logWithOneRecord();
  const first = log.append(record("on its way"));
  await undefined;
  await undefined;
  await Promise.all([first, appendAll(log, labels)]);
  assertEquals(writes(), 2);
});

Deno.test("64 writers that each wait for their own record share their writes", async () => {
  const { log, writes } = await logWithOneRecord();
  await Promise.all(labels.map(async (label) => {
    for (let count = 0; count < 10; count++) await log.append(record(`${label} ${count}`));
  }));
  assertEquals(writes(), 10);
});

Deno.test("What waits is written in pieces of at most 64 KiB", async () => {
  const { log, writes } = await logWithOneRecord();
  await appendAll(log, Array.from({ length: 10 }, () => "x".repeat(30_000)));
  assertEquals(writes(), 5);
});
