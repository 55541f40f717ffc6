/** Power cut or kill in the middle of every single operation, and again while starting after it. */
import { assert } from "@std/assert";
import { type Log, openLog } from "../../storage/log.ts";
import { createLedger } from "./ledger.ts";
import { chanceOf, seedOfRun } from "./random.ts";
import { createDisk, type Ending } from "./simulated-disk.ts";

const endings: Ending[] = ["power", "kill"];
/** More operations than the scenario, or a start, has. */
const most = 120;

/** A start, records that fill two segments, and a compaction with records beside it. */
async function scenario(log: Log, append: (log: Log) => Promise<void>): Promise<void> {
  for (let count = 0; count < 6; count++) await append(log);
  await Promise.all([
    log.compact().catch(() => {}),
    ...Array.from({ length: 6 }, () => append(log)),
  ]);
  await append(log);
}

/** Resolves with how many of the two cuts came before the scenario was through. */
async function cutTwice(
  seed: number,
  first: number,
  second: number,
  ending: Ending[],
): Promise<number> {
  const chance = chanceOf(seed);
  const disk = createDisk(chance);
  const ledger = createLedger(chance, () => disk.isDown);
  const options = () => ({ files: disk.files, segmentBytes: 200, ...ledger.options() });
  let cuts = 0;
  for (const [index, operations] of [first, second].entries()) {
    disk.failPowerIn(operations);
    const log = await openLog("data", options()).catch(() => undefined);
    if (log !== undefined) {
      ledger.check(log);
      await scenario(log, ledger.append);
      await log.close();
    }
    if (disk.isDown) cuts += 1;
    disk.restart(ending[index]!);
  }
  const log = await openLog("data", options());
  ledger.check(log);
  await log.close();
  return cuts;
}

const named = { power: "a power cut", kill: "a kill" };

for (const first of endings) {
  for (const second of endings) {
    Deno.test(`After ${named[first]} during any operation and ${named[second]} in the start after it, nothing is lost`, async (t) => {
      const seed = seedOfRun();
      let both = 0;
      await t.step(`FADERD_SEED=${seed}`, async () => {
        for (let one = 1; one < most; one++) {
          for (let two = 1 + one % 5; two < most; two += 5) {
            const cuts = await cutTwice(seed + one * most + two, one, two, [first, second]);
            if (cuts < 2) break;
            both += 1;
          }
        }
      });
      assert(both > 200, `${both} pairs`);
    });
  }
}
