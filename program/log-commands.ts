/**
 * `faderd log verify|dump|repair|compact|drop-unknown`: the log of a data folder that no service is
 * running on.
 *
 * @module
 */
import { dropUnknown } from "../core/configuration/dropunknown.ts";
import { eventsIn } from "../core/record.ts";
import type { Recovery } from "../storage/contract.ts";
import { inspectLog } from "../storage/log.ts";
import { repairLog } from "../storage/repair.ts";
import type { Given } from "./command-line.ts";
import { configurationOf } from "./configuration-file.ts";
import { carryOut, expectFolder, onDataFolder } from "./data-folder.ts";
import { Failure } from "./failure.ts";
import type { OpenConsole } from "./open-console.ts";
import { print, reasonOf } from "./print.ts";

/** Says what the log holds; throws {@link Failure} where it is damaged. */
export async function logVerify(given: Given): Promise<void> {
  const data = expectFolder(given.get("data")!);
  const { recovery, files } = await inspectLog(data);
  for (const { name, bytes } of files) print(`${data}/${name}: ${bytes} bytes`);
  print(`${recovery.records} records, ${recovery.bytes} bytes`);
  failWhereDamaged(data, recovery);
}

/** Prints each record as a line of JSON: where it is, and the events in it. */
export async function logDump(given: Given): Promise<void> {
  const data = expectFolder(given.get("data")!);
  const { recovery } = await inspectLog(data, (payload, { file, offset }) => {
    print(JSON.stringify({ file, offset, events: eventsIn(payload) }));
  });
  failWhereDamaged(data, recovery);
}

/** Cuts the log at its damage and keeps what was there under other names. */
export async function logRepair(given: Given): Promise<void> {
  const data = expectFolder(given.get("data")!);
  const { found, kept } = await repairLog(data);
  if (found.damage === undefined) return print(`${data} is not damaged; nothing was changed`);
  const { file, offset, reason } = found.damage;
  print(`${data}/${file} was damaged at offset ${offset}: ${reason}`);
  print(`${found.records} records are good; what was damaged is kept as ${kept.join(", ")}`);
}

/** Writes the state anew and removes its history. */
export async function logCompact(given: Given): Promise<void> {
  await compact(given, () => Promise.resolve([]));
}

/** Writes the state anew without what the configuration, or the demo console, does not have. */
export async function logDropUnknown(given: Given): Promise<void> {
  if (given.has("config") === given.has("demo")) {
    const help = "see faderd log drop-unknown --help";
    throw new Failure(`expected either --config FILE or --demo; ${help}`);
  }
  await compact(given, (open) => carryOut(open, "log drop-unknown", dropUnknown));
}

/** Compacts a log once `drop` has answered the paths of what it drops. */
async function compact(
  given: Given,
  drop: (open: OpenConsole) => Promise<readonly string[]>,
): Promise<void> {
  const data = expectFolder(given.get("data")!);
  await onDataFolder(data, configurationOf(given.get("config"), data), async (open) => {
    const { log } = open;
    try {
      const before = log.space.total;
      const dropped = await drop(open);
      await log.compact();
      for (const path of dropped) print(`dropped ${path}`);
      print(`${data}: ${before} bytes before, ${log.space.total} bytes now`);
    } catch (fault) {
      const advice = log.condition.state !== "damaged" ? "" : "; see faderd log repair --help";
      throw new Failure(`${data} was not compacted: ${reasonOf(fault)}${advice}`);
    }
  });
}

function failWhereDamaged(data: string, { cut, damage }: Recovery): void {
  if (cut !== undefined) {
    print(`${data}/${cut.file}: ${cut.bytes} bytes of an unfinished write at offset ${cut.offset}`);
  }
  if (damage === undefined) return;
  const { file, offset, reason } = damage;
  const advice = "see faderd log repair --help";
  throw new Failure(`${data}/${file} is damaged at offset ${offset}: ${reason}; ${advice}`);
}
