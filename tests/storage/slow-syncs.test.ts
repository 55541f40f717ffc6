/** A medium that is slow to sync: this is noticed during the sync, and ends with a quick one. */
import { assertEquals } from "@std/assert";
import { wrapFiles } from "../../storage/file-system.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { settled } from "../core/stores.ts";
import { simulatedTime } from "../fade/simulated_time.ts";
import { record, simulatedLog } from "./texts.ts";

/** A log on a medium whose syncs wait until `letGo` is called. */
async function waiting() {
  const { files } = simulatedLog();
  const time = simulatedTime();
  let waits = false;
  let release: (() => void)[] = [];
  const waitingFiles = wrapFiles(files, (file) => ({
    ...file,
    async sync() {
      if (waits) await new Promise<void>((resolve) => release.push(resolve));
      await file.sync();
    },
  }));
  const told: (true | undefined)[] = [];
  const log = await openLog("data", {
    files: waitingFiles,
    timer: time.timer,
    onCondition: ({ slow }) => told.push(slow),
  });
  await log.append(record("before"));
  await log.append(record("lengthens the segment"));
  waits = true;
  return {
    log,
    told,
    time,
    async pass(ms: number) {
      await settled();
      time.runTo(time.clock.monotonic() + ms);
      await settled();
    },
    letGo() {
      for (const resolve of release) resolve();
      release = [];
    },
    hurry: () => waits = false,
  };
}

Deno.test("A log is slow once a sync takes 2 s, before its end, until a sync is quick", async () => {
  const { log, told, pass, letGo, hurry, time } = await waiting();
  const appended = log.append(record("slow"));
  await pass(1999);
  assertEquals(told, []);
  await pass(1);
  assertEquals([told, log.condition], [[true], { state: "ok", slow: true }]);
  letGo();
  await appended;
  assertEquals(log.condition.slow, true);
  hurry();
  await log.append(record("quick"));
  assertEquals([told, log.condition], [[true, undefined], { state: "ok" }]);
  await log.close();
  assertEquals(time.pending(), 0);
});

Deno.test("A retry of a slow log syncs without an append, and the log is well if that was quick", async () => {
  const { log, pass, letGo, hurry } = await waiting();
  const appended = log.append(record("slow"));
  await pass(2500);
  letGo();
  await appended;
  hurry();
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
  await log.close();
});

Deno.test("Syncs of less than 2 s are not slow, and take at most one timer a second", async () => {
  const { log, told, pass, letGo, time } = await waiting();
  for (let count = 0; count < 6; count++) {
    const appended = log.append(record(`${count}`));
    await pass(1000);
    letGo();
    await appended;
  }
  assertEquals(told, []);
  assertEquals(time.asked.length <= 6, true, `${time.asked.length}`);
  await log.close();
});
