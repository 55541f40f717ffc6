/** Group commit: one durable write for all waiting records, and for a piece of a checkpoint. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { appendAll, record, simulatedLog } from "./texts.ts";

async function logWithOneRecord() {
  const { disk, open } = simulatedLog();
  const log = await open();
  await log.append(record("first"));
  let writes = 0;
  // Each write of records is followed by a sync.
  disk.faults = (operation) => void (writes += operation === "sync" ? 1 : 0);
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

Deno.test("Waiting records are written in pieces of at most 64 KiB", async () => {
  const { log, writes } = await logWithOneRecord();
  await appendAll(log, Array.from({ length: 10 }, () => "x".repeat(30_000)));
  assertEquals(writes(), 5);
});

Deno.test("A checkpoint pauses at the scheduler again and again, and is written in pieces of at most 64 KiB", async () => {
  const waits: string[] = [];
  const { disk, open } = simulatedLog({
    checkpoint: () => Array.from({ length: 500 }, () => record("x".repeat(500))),
    scheduler: {
      ...withoutPauses,
      async pause() {
        waits.push("asked");
        await undefined;
        waits.push("gone on");
      },
    },
  });
  const log = await open();
  let writes = 0;
  let isNamed = false;
  disk.faults = (operation, path) => {
    isNamed ||= operation === "rename";
    if (operation === "write" && path.endsWith("reserve") && !isNamed) writes += 1;
    return undefined;
  };
  await log.compact();
  // 127 records of 516 bytes fit a piece; the two headers of the file are written last.
  assertEquals(writes, Math.ceil(500 / 127) + 2);
  assert(waits.length >= 2 * 500 / 20, `${waits.length / 2} pauses`);
  assert(waits.every((what, at) => what === (at % 2 === 0 ? "asked" : "gone on")));
  await log.close();
});

Deno.test("Closing a log abandons a checkpoint that is being written", async () => {
  const { open, reopened } = simulatedLog();
  let taken = 0;
  let closed: Promise<void> | undefined;
  function* checkpoint() {
    for (; taken < 2000; taken++) {
      if (taken === 300) closed = log.close();
      yield record("x".repeat(500));
    }
  }
  const log = await open({ checkpoint });
  await log.append(record("kept"));
  await assertRejects(() => log.compact(), Error, "the log is being closed");
  await closed;
  await assertRejects(() => log.compact(), Error, "the log is closed");
  assert(taken < 1000, `${taken} records`);
  assertEquals((await reopened()).found, ["kept"]);
});

Deno.test("A checkpoint that closing abandons is not told as a failed compaction", async () => {
  let closed: Promise<void> | undefined;
  function* checkpoint() {
    closed = log.close();
    for (let at = 0; at < 100; at++) yield record("x".repeat(500));
  }
  const told: unknown[] = [];
  const log = await simulatedLog().open({
    checkpoint,
    onCondition: ({ compaction }) => void told.push(compaction),
  });
  await log.append(record("kept"));
  await assertRejects(() => log.compact(), Error, "the log is being closed");
  await closed;
  assertEquals([told, log.condition], [[], { state: "ok" }]);
});

Deno.test("A compaction that is requested during another waits for the next one", async () => {
  const state: string[] = [];
  const checkpoints: string[] = [];
  const log = await simulatedLog().open({
    checkpoint() {
      checkpoints.push(state.join(""));
      return state.map(record);
    },
  });
  const append = async (one: string) => {
    await log.append(record(one));
    state.push(one);
  };
  await append("a");
  const first = log.compact();
  // The request comes after the begin of the first compaction.
  await append("b");
  await Promise.all([log.compact(), log.compact(), first]);
  assertEquals(checkpoints, ["a", "ab"]);
  await log.close();
});
