/** The storage alarm: its begin, its messages, and its end. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
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

/** A console on a log whose condition the test sets, and its alarm. */
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
    /** The medium stops answering. */
    hang: () => medium.hangs = true,
    /** The medium is well again; the log does not know it yet. */
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

Deno.test("a sound medium raises no alarm, and is not retried", async () => {
  const { storage, said, time } = await alarmed();
  assertEquals([storage(), said(), time.pending()], ["ok", [], 0]);
});

for (const condition of [full, readonly, damaged]) {
  const { state, why } = condition;
  Deno.test(`${state} at the start: one line has the state, the reason, the refused changes and the remedy`, async () => {
    const { storage, said } = await alarmed(condition);
    assertEquals(storage(), state);
    const [line, ...more] = said();
    assertEquals(more, []);
    assert(line!.startsWith(`STORAGE ALARM (${state}): ${why}. The console keeps running`), line);
    const which = state === "full" ? " that do not fit" : "";
    assertStringIncludes(line!, `users, snapshots, pictures and restores${which} are refused`);
    assertStringIncludes(line!, "/data");
  });
}

Deno.test("with onFault refuse the line says that every change is refused", async () => {
  const { said } = await alarmed(full, { configuration: refusing });
  assertMatch(
    said()[0]!,
    /^STORAGE ALARM \(full\): .*\. Every change that does not fit is refused\. /,
  );
});

Deno.test("a slow medium raises the alarm and is retried, and the alarm ends once a sync is quick", async () => {
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
  assertEquals(said().at(-1), "STORAGE ALARM OVER: /data stores changes quickly again");
  become({ state: "ok", slow: true });
  await pass(250);
  assertEquals([storage(), retries], ["ok", [false]]);
});

Deno.test("each change of the state is one line; a repeated state is none", async () => {
  const { alarm, become, said, storage } = await alarmed();
  become(full);
  become({ ...full, why: "the quota of the medium is used up" });
  alarm.look();
  become(readonly);
  assertEquals([said().length, storage()], [2, "readonly"]);
});

Deno.test("a failing medium is retried after 250 ms, then at growing intervals of at most 5 s, until it is well", async () => {
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
    ["STORAGE ALARM OVER: /data takes writes again, and the state in force is stored"],
  ]);
  assertEquals([time.pending(), ended()], [0, 1]);
});

Deno.test("the alarm ends only once the state in force is stored", async () => {
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

Deno.test("after 8 s of a medium that fails now and then there are at most two lines in 5 s", async () => {
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

Deno.test("other files that the start could not write are written before the alarm ends", async () => {
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
  const why = "/data is there now, but its records were not read";
  const { said } = await alarmed({ state: "damaged", why, remedy: "Start again." });
  assertMatch(said()[0]!, / refused\. Start again\.$/);
});

Deno.test("a damaged log stays damaged until the next start, without retries", async () => {
  const { console, pass, retries, storage, time } = await alarmed(damaged);
  await codeOf(console, set(FADER, -20));
  await pass(10 * STORAGE_RETRY_MS.most);
  assertEquals([retries, time.pending(), storage()], [[], 0, "damaged"]);
});

Deno.test("failing compactions are one line, until a compaction succeeds", async () => {
  const { become, said, storage } = await alarmed();
  const failed = { state: "ok", compaction: "no space left on the medium" } as const;
  become(failed);
  become(failed);
  assertEquals(said(), [
    "/data could not be compacted; this is tried again: no space left on the medium",
  ]);
  become({ state: "ok" });
  become(failed);
  assertEquals([said().length, storage()], [1, "ok"]);
});

Deno.test("lost changes are reported, also if the medium never answers", async () => {
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

Deno.test("at the end of the service the state in force is stored, or reported as lost", async () => {
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
  assertEquals(failing.said(), ["changes made while /data failed were not stored, and are lost"]);
  assertEquals(failing.time.pending(), 0);
});

Deno.test("where changes are refused, the level of a fade that was not stored is reported as lost", async () => {
  const { alarm, become, console, said } = await alarmed({ state: "ok" }, {
    configuration: refusing,
  });
  const fade = { mixer: 0, fader: 0, seconds: 1, value: -5 };
  assertEquals(await codeOf(console, fadeToValue(fade)), 0);
  become(full);
  await alarm.stop();
  said();
  alarm.sayLost();
  assertEquals(said(), ["changes made while /data failed were not stored, and are lost"]);
});
