/** Power cuts and kills at random moments, with and without a failing medium (issue: faults). */
import { assert } from "@std/assert";
import { type Log, openLog } from "../../storage/log.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { type Chance, chanceOf, seedOfRun } from "./random.ts";
import { createDisk, type SimulatedDisk } from "./simulated-disk.ts";

const lives = 600;
const cutsPerLife = 6;
const codes = ["EIO", "ENOSPC", "SHORT"];

interface Tally {
  cuts: number;
  acknowledged: number;
  refused: number;
}

async function write(log: Log, ledger: Ledger, chance: Chance): Promise<void> {
  const writers = Array.from({ length: chance.between(1, 5) }, async () => {
    for (let left = chance.between(1, 12); left > 0; left--) await ledger.append(log);
  });
  if (chance.hits(0.3)) writers.push(log.compact().catch(() => {}));
  await Promise.all(writers);
}

/** Opens, writes and loses power some times over; the log must have kept its word each time. */
async function live(disk: SimulatedDisk, chance: Chance, failing: number): Promise<Tally> {
  const ledger = createLedger(chance, () => disk.isDown);
  const segmentBytes = chance.between(150, 1500);
  const options = () => ({ files: disk.files, segmentBytes, ...ledger.options() });
  let cuts = 0;
  for (; cuts < cutsPerLife; cuts++) {
    disk.failPowerIn(chance.between(1, 60));
    const often = failing * chance.between(0, 10) / 10;
    disk.faults = (operation) => {
      if (!chance.hits(often)) return undefined;
      const code = codes[chance.between(0, codes.length - 1)]!;
      return code === "SHORT" && operation !== "write" ? "EIO" : code;
    };
    const log = await openLog("data", options()).catch(() => undefined);
    if (log !== undefined) {
      ledger.check(log);
      while (!disk.isDown && log.condition.state === "ok") await write(log, ledger, chance);
      await log.close();
    }
    disk.faults = () => undefined;
    disk.restart(chance.hits(0.7) ? "power" : "kill");
    const after = await openLog("data", options());
    ledger.check(after);
    await after.close();
  }
  return { cuts, acknowledged: ledger.acknowledged, refused: ledger.refused };
}

for (const [medium, failing] of [["a sound", 0], ["a failing", 0.5]] as const) {
  Deno.test(`After a power cut on ${medium} medium all that was acknowledged is there, and nothing that was refused`, async (t) => {
    const seed = seedOfRun();
    const total: Tally = { cuts: 0, acknowledged: 0, refused: 0 };
    await t.step(`FADERD_SEED=${seed}`, async () => {
      for (let life = 0; life < lives; life++) {
        const chance = chanceOf(seed + life);
        const { cuts, acknowledged, refused } = await live(createDisk(chance), chance, failing)
          .catch((fault) => {
            throw new Error(`life ${life}, FADERD_SEED=${seed + life}`, { cause: fault });
          });
        total.cuts += cuts;
        total.acknowledged += acknowledged;
        total.refused += refused;
      }
    });
    assert(total.cuts >= 2000, `${total.cuts} power cuts`);
    assert(total.acknowledged > total.cuts / 2, `${total.acknowledged} acknowledged`);
    assert(total.refused > 0);
  });
}
