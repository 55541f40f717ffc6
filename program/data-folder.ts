/**
 * Functions for commands on a data folder without a running service.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Command } from "../core/command.ts";
import type { Console } from "../core/console.ts";
import { isRefusal, reasonOf, type Refusal } from "../core/errors.ts";
import { DEVICE } from "../core/users/user.ts";
import { defaultSegmentBytes, type Log } from "../storage/contract.ts";
import { isCheckpointDue } from "../storage/space.ts";
import { codeOf, describeFault } from "../storage/storage-error.ts";
import type { Given, Option } from "./command-line.ts";
import { Failure } from "./failure.ts";
import { type OpenConsole, openConsole } from "./open-console.ts";
import { warn } from "./print.ts";
import { sayRecovery } from "./say-recovery.ts";

/** The default data folder. */
const DATA = "./data";

/** The option for the data folder, for commands that can also ask a running service. */
export const folderOption: Option = [
  "--data DIR",
  `the data folder of a stopped service (default ${DATA})`,
];

/** Returns the data folder given on a command line, or the default. */
export function folderOf(given: Given): string {
  return given.get("data") ?? DATA;
}

/** Returns an existing data folder; throws {@link Failure} if it does not exist. */
export function expectFolder(data: string): string {
  try {
    if (Deno.statSync(data).isDirectory) return data;
  } catch {
    // The folder does not exist or is not accessible: in both cases the command fails.
  }
  throw new Failure(`there is no data folder ${data}`);
}

/** Waits for work on a data folder; throws {@link Failure} if its medium does not allow it. */
export async function onMedium<Result>(data: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    // Nobody reads the output any more: the medium is not at fault.
    if (fault instanceof Deno.errors.BrokenPipe || codeOf(fault) === undefined) throw fault;
    throw new Failure(`the medium of ${data} does not allow that: ${describeFault(fault)}`);
  }
}

/**
 * Opens the console of a data folder, works on it, and closes it in any case. Waits for a
 * checkpoint that is due, because otherwise each restore would leave all replaced data in the log.
 */
export async function onDataFolder<Result>(
  data: string,
  configuration: Configuration,
  work: (open: OpenConsole) => Promise<Result>,
): Promise<Result> {
  const open = await openConsole(configuration, data);
  const { log } = open;
  sayRecovery(data, log.recovery);
  let refused = "";
  try {
    return await work(open);
  } catch (fault) {
    refused = reasonOf(fault);
    throw fault;
  } finally {
    sayDamage(log, refused);
    if (isCheckpointDue(log.space, defaultSegmentBytes) && log.condition.state === "ok") {
      await log.compact().catch((fault) => warn(reasonOf(fault)));
    }
    await open.close();
  }
}

/**
 * Says on standard error that the folder no longer holds all stored data; names the place of the
 * damage only if the damage is not the reason of the refusal that is printed next.
 */
function sayDamage({ condition: { state, why = "" } }: Log, refused: string): void {
  if (state !== "damaged") return;
  const place = refused.includes(why) ? "the log is damaged" : why;
  warn(`${place}; the records there and after it are missing (faderd log verify, log repair)`);
}

/**
 * Has a console carry out a command, under its name on the command line in the audit trail; throws
 * {@link Failure} if it is refused.
 */
export async function carryOut<Result>(
  { console }: OpenConsole,
  call: string,
  command: Command<Result>,
): Promise<Result> {
  return carriedOut(console, call, await console.dispatch(command, { ...DEVICE, call })).result;
}

/**
 * Returns the outcome of a call; if it was refused, reports that to the audit trail and throws
 * {@link Failure} with the reason.
 */
export function carriedOut<Value extends object>(
  console: Console,
  call: string,
  outcome: Value | Refusal,
): Value {
  if (isRefusal(outcome)) console.tellRefused({ call }, outcome);
  return accepted(outcome);
}

/** Returns an outcome; throws {@link Failure} with the reason if it is a refusal. */
export function accepted<Value extends object | string>(outcome: Value | Refusal): Value {
  if (typeof outcome === "object" && isRefusal(outcome)) throw new Failure(outcome.message);
  return outcome as Value;
}
