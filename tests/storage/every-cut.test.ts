/** Power cut or kill in the middle of every single operation, and again while starting after it. */
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

/** True when power went before the scenario was through. */
async function cutTwice(seed: number, first: number, second: number, ending: Ending[]) {
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

for (const first of endings) {
  for (const second of endings) {
    Deno.test(`After a ${first} cut during any operation and a ${second} cut in the next start, nothing is lost`, async (t) => {
      const seed = seedOfRun();
      await t.step(`FADERD_SEED=${seed}`, async () => {
        for (let one = 1; one < most; one++) {
          for (let two = 1; two < most; two += 5) {
            const cuts = await cutTwice(seed + one * most + two, one, two + one % 5, [
              first,
              second,
            ]);
            if (cuts < 2) break;
          }
        }
      });
    });
  }
}
