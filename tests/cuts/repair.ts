/**
 * Whether a repair keeps what it must, also where it is cut off.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { inspectLog } from "../../storage/log.ts";
import { repairLog } from "../../storage/repair.ts";
import { createDisk, type Ending, type SimulatedDisk } from "../storage/simulated-disk.ts";
import { folder, openDesk } from "./desk.ts";
import { type Case, goesOn } from "./judge.ts";
import { beginReading } from "./reading.ts";

/**
 * Flips a bit of what a power cut left, and repairs the log, with another cut during some of the
 * repairs. The log must then hold what was good before the damage, or all that it held before; it
 * must go on from there; and no file that is damaged, or stands behind damage, may be lost. Rejects with what is wrong.
 */
export async function judgeRepair(one: Case): Promise<void> {
  const { medium, chance, garbles, segmentBytes, recalled } = one;
  const disk = createDisk(chance, { medium, garbles });
  const files = one.wrap(disk.files);
  const names = [...medium.names.keys()].filter((name) => /\d\.(log|checkpoint)$/.test(name));
  const name = names[chance.between(0, names.length - 1)];
  if (name === undefined) return;
  disk.tamper(name, (content) => {
    // Behind what was written there are only zeros.
    const written = content.findLastIndex((byte) => byte !== 0) + 1;
    if (written > 0) content[chance.between(0, written - 1)]! ^= 1 << chance.between(0, 7);
    return content;
  });
  const reading = beginReading(recalled);
  const found = await inspectLog(folder, reading.read, files);
  const { damage } = found.recovery;
  // A flip in the last write looks like a cut in it, and a stale file is nobody's.
  if (damage === undefined) return;
  const before = reading.end().kept;
  // What is good of the others comes into the log that the repair makes.
  const good = found.files.map(({ name }) => name).filter((name) => name !== damage.file);
  const others = [...found.stale, ...good];
  const originals = contents(disk, names.filter((name) => !others.includes(name)));
  let ending: Ending = "power";
  if (chance.hits(0.7)) {
    disk.failPowerIn(chance.between(1, 32));
    await repairLog(folder, { files }).catch((fault) => {
      if (!disk.isDown) throw fault;
    });
    ending = chance.hits(0.7) ? "power" : "kill";
    disk.restart(ending);
  }
  await repairLog(folder, { files });
  // After a kill the log may be well as it is seen, so that nothing is repaired: a power cut before
  // the next start then brings the damage back, and with it the need for a repair, but loses nothing.
  disk.restart(ending);
  const now = contents(disk, await disk.files.list(folder));
  for (const [name, content] of originals) {
    if (![...now.values()].includes(content)) throw new Error(`the repair has lost ${name}`);
  }
  const desk = await openDesk({ files, segmentBytes, chance, recalled });
  assertEquals(desk.log.recovery.damage, undefined, "it is still damaged after a repair");
  await goesOn(disk, one, desk, new Set([before, ...one.allowed]));
}

/** What files hold, as text that can be compared. */
function contents(disk: SimulatedDisk, names: readonly string[]): Map<string, string> {
  const decoder = new TextDecoder("latin1");
  return new Map(names.map((name) => [name, decoder.decode(disk.content(name))]));
}
