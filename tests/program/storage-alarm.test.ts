/** The storage alarm: when it is raised, what it says, and how it ends. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { set } from "../../core/tree/set.ts";
import { STORAGE_RETRY_MS } from "../../core/limits.ts";
import { createStorageAlarm } from "../../runtimes/storage-alarm.ts";
import type { Condition } from "../../storage/contract.ts";
import { codeOf, valueAt } from "../core/actors.ts";
import { settled } from "../core/stores.ts";
import { simulatedTime } from "../fade/simulated_time.ts";
import { refusing, type TestConsole, testConsole } from "../service.ts";

const FADER = "/audio/mixers/0/faders/0/fader";
const full: Condition = { state: "full", why: "no space left on the medium" };
const readonly: Condition = { state: "readonly", why: "the medium is read-only" };
const damaged: Condition = { state: "damaged", why: "00000001.log is damaged at offset 32" };

/** A console on a log whose condition the test writes, and its alarm. */
async function alarmed(
  first: Condition = { state: "ok" },
  options: TestConsole = {},
  keep?: () => Promise<void>,
) {
  const medium: { condition: Condition; fails: boolean; hangs?: boolean } = {
    condition: first,
    fails: false,
  };
  const retries: boolean[] = [];
  const lines: string[] = [];
  const console = await testConsole({
    ...options,
    store: {
      append: () => medium.fails ? Promise.reject(new Error("it fails")) : Promise.resolve(),
    },
  });
  medium.fails = first.state !== "ok";
  const time = simulatedTime();
  const log = {
    get condition() {
      return medium.condition;
    },
    retry({ stale = false } = {}) {
      retries.push(stale);
      if (medium.hangs) return new Promise<void>(() => {});
      if (medium.fails) return Promise.resolve();
      if (stale) console.checkpoint();
      medium.condition = { state: "ok" };
      return Promise.resolve();
    },
  };
  const say = (line: string) => lines.push(line);
  let ended = 0;
  const alarm = createStorageAlarm({
    console,
    log,
    data: "/data",
    timer: time.timer,
    keep,
    ended: () => ended++,
    say,
  });
  return {
    console,
    alarm,
    time,
    retries,
    become(condition: Condition) {
      medium.condition = condition;
      medium.fails = condition.state !== "ok";
      alarm.look();
    },
    /** The medium answers no more. */
    hang: () => medium.hangs = true,
    /** The medium is well again, of which the log does not know yet. */
    mend: () => medium.fails = false,
    async pass(ms: number) {
      time.runTo(time.clock.monotonic() + ms);
      await settled();
    },
    ended: () => ended,
    storage: () => valueAt(console, "/general/_storage"),
    said: () => lines.splice(0),
  };
}

Deno.test("a medium that is well raises no alarm, and nothing is tried", async () => {
  const { storage, said, time } = await alarmed();
  assertEquals([storage(), said(), time.pending()], ["ok", [], 0]);
});

for (const condition of [full, readonly, damaged]) {
  const { state, why } = condition;
  Deno.test(`${state} at the start: one line says so, why, what is refused and what to do`, async () => {
    const { storage, said } = await alarmed(condition);
    assertEquals(storage(), state);
    const [line, ...more] = said();
    assertEquals(more, []);
    assert(line!.startsWith(`STORAGE ALARM (${state}): ${why}. The console plays on`), line);
    const which = state === "full" ? " that do not fit" : "";
    assertStringIncludes(line!, `users, snapshots, pictures and restores${which} are refused`);
    assertStringIncludes(line!, "/data");
  });
}

Deno.test("a console that refuses says that every change is refused", async () => {
  const { said } = await alarmed(full, { configuration: refusing });
  assertMatch(
    said()[0]!,
    /^STORAGE ALARM \(full\): .*\. Every change that does not fit is refused\. /,
  );
});

Deno.test("a medium that is slow raises an alarm, is tried, and it is over once one sync was quick", async () => {
  const { become, pass, retries, said, storage } = await alarmed();
  become({ state: "ok", slow: true });
  assertEquals(storage(), "slow");
  assertMatch(
    said()[0]!,
    /^STORAGE ALARM \(slow\): the medium takes 2 s or more .*nothing is lost/,
  );
  become(full);
  become({ state: "ok", slow: true });
  assertEquals(storage(), "slow");
  await pass(10);
  become({ state: "ok" });
  assertEquals([storage(), retries], ["ok", []]);
  assertMatch(said().at(-1)!, /^STORAGE ALARM OVER/);
  become({ state: "ok", slow: true });
  await pass(250);
  assertEquals([storage(), retries], ["ok", [false]]);
});

Deno.test("each change of the state is one line; the same again is none", async () => {
  const { alarm, become, said, storage } = await alarmed();
  become(full);
  become({ ...full, why: "the quota of the medium is used up" });
  alarm.look();
  become(readonly);
  assertEquals([said().length, storage()], [2, "readonly"]);
});

Deno.test("while the medium fails it is tried again after 250 ms, then ever less often, at least every 5 s, until it is well", async () => {
  const { become, ended, mend, pass, retries, said, storage, time } = await alarmed();
  become(full);
  for (const [tries, wait] of [250, 500, 1000, 2000, 4000, 5000, 5000].entries()) {
    await pass(wait - 1);
    assertEquals(retries.length, tries);
    await pass(1);
  }
  assertEquals([retries.length, said().length, storage(), ended()], [7, 1, "full", 0]);
  mend();
  await pass(STORAGE_RETRY_MS.most);
  assertEquals([storage(), said()], [
    "ok",
    ["STORAGE ALARM OVER: /data takes writes again, and what is in force is stored"],
  ]);
  assertEquals([time.pending(), ended()], [0, 1]);
});

Deno.test("the alarm ends when what is in force is stored, not before", async () => {
  const { become, console, mend, pass, retries, storage } = await alarmed();
  become(full);
  assertEquals(await codeOf(console, set(FADER, -20)), 0);
  assert(console.unstored);
  mend();
  become({ state: "ok" });
  assertEquals(storage(), "full", "the last record was stored, but not all that is in force");
  await pass(STORAGE_RETRY_MS.first);
  assertEquals([retries, console.unstored, storage()], [[true], false, "ok"]);
});

Deno.test("the alarm of one failed write ends after 250 ms", async () => {
  const { become, pass, storage } = await alarmed();
  become(full);
  become({ state: "ok" });
  await pass(STORAGE_RETRY_MS.first);
  assertEquals(storage(), "ok");
});

Deno.test("a medium that fails now and then is told of at most twice in 5 s, once it did for 8 s", async () => {
  const { become, mend, pass, said } = await alarmed();
  const failNowAndThen = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 125) {
      become(full);
      mend();
      await pass(125);
    }
    return said().length;
  };
  assert(await failNowAndThen(8000) <= 12);
  assert(await failNowAndThen(50_000) <= 20);
  await pass(STORAGE_RETRY_MS.most);
  await pass(STORAGE_RETRY_MS.most + 1);
  said();
  become(full);
  mend();
  await pass(STORAGE_RETRY_MS.first);
  assertEquals(said().length, 2, "after a time without failure the next one is over soon again");
});

Deno.test("files that the start could not write beside the log are written before the alarm ends", async () => {
  let fails = true;
  const keep = () => fails ? Promise.reject(new Error("it fails")) : Promise.resolve();
  const { pass, said, storage, time } = await alarmed({ state: "ok" }, {}, keep);
  assertEquals([storage(), said().length], ["readonly", 1]);
  await pass(STORAGE_RETRY_MS.most);
  assertEquals(storage(), "readonly");
  fails = false;
  await pass(STORAGE_RETRY_MS.most);
  assertEquals([storage(), said().length, time.pending()], ["ok", 1, 0]);
});

Deno.test("if the condition names a remedy, the alarm names only that", async () => {
  const why = "/data is there now, but what it holds was not read";
  const { said } = await alarmed({ state: "damaged", why, remedy: "Start again." });
  assertMatch(said()[0]!, / refused\. Start again\.$/);
});

Deno.test("damage stays until the next start: nothing is tried", async () => {
  const { console, pass, retries, storage, time } = await alarmed(damaged);
  await codeOf(console, set(FADER, -20));
  await pass(10 * STORAGE_RETRY_MS.most);
  assertEquals([retries, time.pending(), storage()], [[], 0, "damaged"]);
});

Deno.test("a compaction that fails is said once, until one succeeds", async () => {
  const { become, said, storage } = await alarmed();
  const failed = { state: "ok", compaction: "no space left on the medium" } as const;
  become(failed);
  become(failed);
  assertEquals(said(), [
    "/data could not be compacted, which is tried again: no space left on the medium",
  ]);
  become({ state: "ok" });
  become(failed);
  assertEquals([said().length, storage()], [1, "ok"]);
});

Deno.test("lost changes are reported, however long the medium takes to fail", async () => {
  const { alarm, console, hang, said } = await alarmed(full);
  await codeOf(console, set(FADER, -20));
  hang();
  said();
  let stopped = false;
  alarm.stop().then(() => stopped = true);
  await settled();
  alarm.sayLost();
  assertEquals([stopped, said().length], [false, 1]);
});

Deno.test("at the end of the service what is in force is stored once more, or said to be lost", async () => {
  const well = await alarmed(full);
  await codeOf(well.console, set(FADER, -20));
  well.mend();
  await well.alarm.stop();
  well.alarm.sayLost();
  assertEquals([well.retries, well.said().length], [[true], 1]);
  const failing = await alarmed(full);
  await codeOf(failing.console, set(FADER, -20));
  failing.said();
  await failing.alarm.stop();
  assertEquals(failing.said(), []);
  failing.alarm.sayLost();
  assertEquals(failing.said(), ["what was changed while /data failed is not stored, and is lost"]);
  assertEquals(failing.time.pending(), 0);
});
