/**
 * A console on a data folder.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { checkpointRecords } from "../core/checkpoint.ts";
import { type Console, createConsole } from "../core/console.ts";
import { type Log, openLog } from "../storage/log.ts";
import { machine } from "./clock.ts";
import { Failure } from "./failure.ts";
import { reasonOf, warn } from "./print.ts";

const MINUTE_MS = 60_000;

/** A console and the log that keeps it. */
export interface OpenConsole {
  readonly console: Console;
  readonly log: Log;
}

/**
 * Opens the data folder, which is made if it is not there; throws {@link Failure}. The log may only
 * be compacted where the configuration is the console's own: what it does not have, a checkpoint
 * does not keep.
 */
export async function openConsole(
  configuration: Configuration,
  directory: string,
  mayCompact: boolean,
): Promise<OpenConsole> {
  const records: Uint8Array[] = [];
  let log: Log;
  try {
    log = await openLog(directory, {
      replay: (record) => records.push(record),
      ...(mayCompact ? { checkpoint: () => checkpointRecords(console.state) } : {}),
    });
  } catch (fault) {
    throw new Failure(reasonOf(fault));
  }
  let saidAt = -MINUTE_MS;
  const sayOnceAMinute = (fault: unknown) => {
    const now = machine.clock.monotonic();
    if (now - saidAt < MINUTE_MS) return;
    saidAt = now;
    warn(reasonOf(fault));
  };
  const console: Console = createConsole({
    ...machine,
    configuration,
    store: log,
    records,
    onStoreFault: sayOnceAMinute,
  });
  return { console, log };
}
