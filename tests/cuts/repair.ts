/**
 * The check that a repair keeps all good records, also after a power cut during the repair.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { headerBytes, headerPlaces } from "../../storage/format.ts";
import type { Quarantined } from "../../storage/contract.ts";
import { inspectLog } from "../../runtimes/deno/log.ts";
import { repairLog } from "../../runtimes/deno/repair.ts";
import type { Chance } from "../storage/random.ts";
import { createDisk, type SimulatedDisk } from "../storage/simulated-disk.ts";
import { folder, openDesk } from "./desk.ts";
import { type Case, goesOn } from "./judge.ts";
import { beginReading } from "./reading.ts";

/** Share of the harmed files that lose both headers; the others have one bit flipped. */
const lostHeaders = 0.3;

/**
 * Flips a bit of the medium after a power cut, or loses both headers of a file, and repairs the
 * log, with another cut during some of the repairs. The log must then hold the records before the
 * damage, or all records; it must take further ones; and no file that is damaged, or stands behind
 * damage, may be lost. Rejects with the fault.
 */
export async function judgeRepair(one: Case): Promise<void> {
  const { medium, chance, garbles, segmentBytes, recalled } = one;
  const disk = createDisk(chance, { medium, garbles });
  const files = one.wrap(disk.files);
  const names = [...medium.names.keys()].filter((name) => /\d\.(log|checkpoint)$/.test(name));
  const name = names[chance.between(0, names.length - 1)];
  if (name === undefined) return;
  const isLost = chance.hits(lostHeaders);
  disk.tamper(name, (content) => isLost ? withoutHeaders(content) : withFlip(content, chance));
  const reading = beginReading(recalled);
  const found = await inspectLog(folder, reading.read, files);
  const { damage, quarantined } = found.recovery;
  const { kept: before } = reading.end();
  if (quarantined !== undefined) return await judgeQuarantined(one, disk, quarantined, before);
  // A flip in the last write looks like a cut in it, and a stale file belongs to no log.
  if (damage === undefined) return;
  // The good records of the other files come into the log that the repair makes.
  const good = found.files.map(({ name }) => name).filter((name) => name !== damage.file);
  const others = [...found.stale, ...good];
  const originals = contents(disk, names.filter((name) => !others.includes(name)));
  if (chance.hits(0.7)) {
    disk.failPowerIn(chance.between(1, 32));
    await repairLog(folder, { files }).catch((fault) => {
      if (!disk.isDown) throw fault;
    });
    disk.restart(chance.hits(0.7) ? "power" : "kill");
  }
  await repairLog(folder, { files });
  disk.restart("power");
  const now = contents(disk, await disk.files.list(folder));
  for (const [name, content] of originals) {
    if (![...now.values()].includes(content)) throw new Error(`the repair has lost ${name}`);
  }
  const desk = await openDesk({ files, segmentBytes, chance, recalled });
  assertEquals(desk.log.recovery.damage, undefined, "it is still damaged after a repair");
  await goesOn(disk, one, desk, new Set([before, ...one.allowed]));
}

/** A file that looks like a torn first write is kept, also across a cut in the start. */
async function judgeQuarantined(
  one: Case,
  disk: SimulatedDisk,
  { file, keptAs }: Quarantined,
  before: string,
): Promise<void> {
  const { chance, segmentBytes, recalled } = one;
  const files = one.wrap(disk.files);
  const content = disk.content(file);
  disk.failPowerIn(chance.between(1, 12));
  const cut = await openDesk({ files, segmentBytes, chance, recalled }).catch(() => undefined);
  disk.failPowerIn(1);
  await cut?.log.close();
  disk.restart("power");
  const desk = await openDesk({ files, segmentBytes, chance, recalled });
  await goesOn(disk, one, desk, new Set([before]));
  assertEquals(disk.content(keptAs), content, `${file} is lost`);
}

function withoutHeaders(content: Uint8Array): Uint8Array {
  for (const place of headerPlaces) content.subarray(place, place + headerBytes).fill(0);
  return content;
}

function withFlip(content: Uint8Array, chance: Chance): Uint8Array {
  // Behind the written bytes there are only zeros.
  const written = content.findLastIndex((byte) => byte !== 0) + 1;
  if (written > 0) content[chance.between(0, written - 1)]! ^= 1 << chance.between(0, 7);
  return content;
}

/** The contents of files, as text that can be compared. */
function contents(disk: SimulatedDisk, names: readonly string[]): Map<string, string> {
  const decoder = new TextDecoder("latin1");
  return new Map(names.map((name) => [name, decoder.decode(disk.content(name))]));
}
