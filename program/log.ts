/**
 * `faderd log verify|dump|repair|compact|drop-unknown`: the log of a data folder that no service is running on.
 *
 * @module
 */
import { dropUnknown } from "../core/configuration/unknown.ts";
import type { Console } from "../core/console.ts";
import { isRefusal } from "../core/errors.ts";
import { decodeRecord } from "../core/record.ts";
import { DEVICE } from "../core/users/user.ts";
import type { Recovery } from "../storage/contract.ts";
import { StorageError } from "../storage/storage-error.ts";
import { inspectLog } from "../storage/log.ts";
import { repairLog } from "../storage/repair.ts";
import { configurationOf } from "./configuration-file.ts";
import { Failure } from "./failure.ts";
import { expectFolder } from "./folder.ts";
import { openConsole } from "./open-console.ts";
import { print, reasonOf } from "./print.ts";

/** Says what the log holds; throws {@link Failure} where it is damaged. */
export async function logVerify(data: string): Promise<void> {
  const { recovery, files } = await onLog(data, () => inspectLog(data));
  for (const { name, bytes } of files) print(`${data}/${name}: ${bytes} bytes`);
  print(`${recovery.records} records, ${recovery.bytes} bytes`);
  failWhereDamaged(data, recovery);
}

/** Prints each record as a line of JSON: where it is, and the events in it. */
export async function logDump(data: string): Promise<void> {
  const { recovery } = await onLog(data, () =>
    inspectLog(data, (payload, { file, offset }) => {
      const events = decodeRecord(payload).map((event) =>
        event.type === "picturewritten" ? { ...event, bytes: event.bytes.length } : event
      );
      print(JSON.stringify({ file, offset, events }));
    }));
  failWhereDamaged(data, recovery);
}

/** Cuts the log at its damage and keeps what was there under other names. */
export async function logRepair(data: string): Promise<void> {
  const { found, kept } = await onLog(data, () => repairLog(data));
  if (found.damage === undefined) return print(`${data} is not damaged; nothing was changed`);
  const { file, offset, reason } = found.damage;
  print(`${data}/${file} was damaged at offset ${offset}: ${reason}`);
  print(`${found.records} records are good; what was damaged is kept as ${kept.join(", ")}`);
}

/** Writes the state anew and removes its history. */
export async function logCompact(data: string): Promise<void> {
  await compact(data, undefined, () => Promise.resolve([]));
}

/**
 * Writes the state anew without what the configuration does not have: the file `config`, or the demo
 * console.
 */
export async function logDropUnknown(data: string, config: string | undefined): Promise<void> {
  await compact(data, config, async (console) => {
    const outcome = await console.dispatch(dropUnknown, DEVICE);
    if (isRefusal(outcome)) throw new Failure(outcome.message);
    return outcome.result.map((path) => `dropped ${path}`);
  });
}

async function compact(
  data: string,
  config: string | undefined,
  first: (console: Console) => Promise<readonly string[]>,
): Promise<void> {
  expectFolder(data);
  const { console, log } = await openConsole(configurationOf(config, data), data);
  try {
    const before = log.space.total;
    const done = await first(console);
    await log.compact();
    for (const line of done) print(line);
    print(`${data}: ${before} bytes before, ${log.space.total} bytes now`);
  } catch (fault) {
    const advice = log.condition.readOnly === undefined ? "" : "; see faderd log repair --help";
    throw new Failure(`${data} was not compacted: ${reasonOf(fault)}${advice}`);
  } finally {
    await log.close();
  }
}

async function onLog<Result>(data: string, work: () => Promise<Result>): Promise<Result> {
  expectFolder(data);
  try {
    return await work();
  } catch (fault) {
    throw fault instanceof StorageError ? new Failure(fault.message) : fault;
  }
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
