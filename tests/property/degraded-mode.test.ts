/** A console in degraded mode, in any order of changes, failures and recoveries of its medium. */
import { setImmediate } from "node:timers";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { type Console, createConsole } from "../../core/console.ts";
import type { Outcome } from "../../core/command.ts";
import { isRefusal } from "../../core/errors.ts";
import { beginReplay } from "../../core/replay.ts";
import { set } from "../../core/tree/set.ts";
import { merge } from "../../core/tree/tree.ts";
import { STORAGE_RETRY_MS } from "../../core/limits.ts";
import { createStorageAlarm } from "../../runtimes/storage-alarm.ts";
import { type Log, openLog } from "../../runtimes/deno/log.ts";
import { keptText, valueAt } from "../core/actors.ts";
import { simulatedTime } from "../fade/simulated_time.ts";
import { chanceOf } from "../storage/random.ts";
import { createDisk, type Ending, type SimulatedDisk } from "../storage/simulated-disk.ts";
import { whole } from "../../storage/records.ts";
import { configuration as configured, replayed, run, steps as anySteps } from "./commands.ts";

const FADERS = [0, 1, 2];
const levelOf = (fader: number) => `/audio/mixers/0/faders/${fader}/fader`;
const read = readConfiguration({ mixers: [{ faders: FADERS.length }] });
if ("faults" in read) throw new Error("the configuration has faults");
const { configuration } = read;

/** A console on a simulated disk, as a start finds it. */
async function start({ files }: SimulatedDisk): Promise<{ console: Console; log: Log }> {
  const replay = beginReplay(configuration);
  const log = await openLog("data", {
    files,
    segmentBytes: 2048,
    replay: (record) => replay.read(record),
    checkpoint: () => console.checkpoint(),
  });
  const time = { now: () => 0, monotonic: () => 0 };
  const random = { bytes: (count: number) => new Uint8Array(count) };
  const console = createConsole({ state: replay.end(), store: log, clock: time, random });
  return { console, log };
}

/** The storage alarm of a console, in simulated time. */
function alarmOf(console: Console, log: Log) {
  const time = simulatedTime();
  const { timer } = time;
  const alarm = createStorageAlarm({ console, log, data: "data", say: () => {}, timer });
  return { alarm, time };
}

/** A set of a fader, not awaited; a change of the medium's fault; a wait for answers; a retry. */
type Step = number | "full" | "broken" | "well" | "settle" | "retry";

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...FADERS) },
    { weight: 2, arbitrary: fc.constantFrom<Step>("full", "broken", "well", "well") },
    { weight: 4, arbitrary: fc.constantFrom<Step>("settle", "retry") },
  ),
  { maxLength: 60 },
);

/** Waits until all pending promises are settled. */
const turns = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Ends the process, alone or with the machine, in the middle of its work. */
async function cut(disk: SimulatedDisk, log: Log, ending: Ending): Promise<void> {
  disk.failPowerIn(1);
  await log.close().catch(() => {});
  disk.faults = () => undefined;
  disk.restart(ending);
}

for (const ending of ["power", "kill"] as const) {
  Deno.test(`a set that was not answered with durable false survives any faults of the medium and a ${ending} ending`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer(), async (steps, seed) => {
        const chance = chanceOf(seed);
        const disk = createDisk(chance);
        const { console, log } = await start(disk);
        let folded = console.state.tree;
        console.watch((event) => {
          if (event.type === "treechanged") folded = merge(folded, event.patch);
        });
        const { alarm, time } = alarmOf(console, log);
        /** The levels set on each fader, in order, and whether each was answered as durable. */
        const asked = FADERS.map((): { dB: number; durable: boolean }[] => []);
        const underWay: Promise<unknown>[] = [];
        let dB = -100;
        for (const step of steps) {
          if (typeof step === "number") {
            const one = { dB: dB += 0.1, durable: false };
            asked[step]!.push(one);
            const outcome = Promise.resolve(console.dispatch(set(levelOf(step), one.dB), {}));
            underWay.push(outcome.then((came) => {
              if (isRefusal(came)) throw new Error(`refused: ${came.message}`);
              one.durable = came.durable ?? true;
            }));
          } else if (step === "settle") await Promise.all(underWay);
          else if (step === "retry") {
            alarm.look();
            time.runTo(time.clock.monotonic() + STORAGE_RETRY_MS.most);
            await turns();
          } else {
            disk.faults = (operation) => {
              if (step === "well" || operation === "remove") return undefined;
              return step === "full" ? "ENOSPC" : chance.hits(0.5) ? "EIO" : undefined;
            };
          }
        }
        await Promise.all(underWay);
        assertEquals(JSON.stringify(folded), JSON.stringify(console.state.tree));
        for (const fader of FADERS) {
          const last = asked[fader]!.at(-1);
          if (last !== undefined) assertEquals(valueAt(console, levelOf(fader)), last.dB);
        }
        await cut(disk, log, ending);
        const again = await start(disk);
        assertEquals(again.log.recovery.damage, undefined);
        for (const fader of FADERS) {
          const found = valueAt(again.console, levelOf(fader));
          const levels = asked[fader]!;
          const kept = levels.findLastIndex(({ durable }) => durable);
          const at = levels.findIndex((one) => one.dB === found);
          assert(at >= kept, `fader ${fader}: ${found}, of ${JSON.stringify(levels)}`);
        }
      }),
      { numRuns: 100 },
    );
  });
}

Deno.test("when the medium is well again the whole state in force is stored, and the alarm ends", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer(), async (steps, seed) => {
      const disk = createDisk(chanceOf(seed));
      const { console, log } = await start(disk);
      const { alarm, time } = alarmOf(console, log);
      let dB = -100;
      for (const step of steps) {
        if (typeof step === "number") await console.dispatch(set(levelOf(step), dB += 0.1), {});
        else if (step === "full" || step === "broken") disk.faults = () => "ENOSPC";
        else if (step === "well") disk.faults = () => undefined;
        alarm.look();
      }
      disk.faults = () => undefined;
      const isWell = () => !console.unstored && time.pending() === 0;
      for (let turn = 0; turn < 1000 && !isWell(); turn++) {
        time.runTo(time.clock.monotonic() + STORAGE_RETRY_MS.most);
        await turns();
      }
      assertEquals([console.unstored, valueAt(console, "/general/_storage")], [false, "ok"]);
      assertEquals(time.pending(), 0, "nothing is tried any more");
      await cut(disk, log, "power");
      const again = await start(disk);
      for (const fader of FADERS) {
        assertEquals(valueAt(again.console, levelOf(fader)), valueAt(console, levelOf(fader)));
      }
    }),
    { numRuns: 100 },
  );
});

const playing = { ...configured, storage: { onFault: "play" } } as const;

Deno.test("after any refusals a checkpoint and the records after it give the state in force", async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, anySteps, async (first, second) => {
      const { console, store, goOn, folded } = await run(first, {
        configuration: playing,
        records: [],
      });
      await store.release();
      const checkpoint = Array.from(console.checkpoint(), whole);
      const before = store.records.length;
      console.checkpointEnded(true);
      assertEquals(console.unstored, false);
      store.hold();
      await goOn(second.filter((step) => step !== "fail"));
      await store.release();
      assertEquals([console.unstored, JSON.stringify(folded())], [
        false,
        JSON.stringify(console.state.tree),
      ]);
      const found = await replayed([...checkpoint, ...store.records.slice(before)], playing);
      assertEquals(keptText(found), keptText(console));
    }),
    { numRuns: 40 },
  );
});

Deno.test("while the store has refused no change in force, a restart finds the state in force", async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const { console, store, outcomes } = await run(steps, {
        configuration: playing,
        records: [],
      });
      await store.release();
      const all = await Promise.all(outcomes) as Outcome<unknown>[];
      const told = all.some((outcome) => !isRefusal(outcome) && outcome.durable === false);
      if (told) assert(console.unstored);
      if (console.unstored) return;
      assertEquals(keptText(await replayed(store.records, playing)), keptText(console));
    }),
    { numRuns: 40 },
  );
});
