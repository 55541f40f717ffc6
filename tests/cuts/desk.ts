/**
 * The console of the simulation, on a log on a simulated disk: what `program/open-console.ts` makes,
 * with a clock, chance and a timer that a seed repeats.
 *
 * @module
 */
import { type Console, createConsole } from "../../core/console.ts";
import { createFadeDriver } from "../../core/fades/fade-driver.ts";
import type { RecordBytes } from "../../core/ports.ts";
import { checkpointRecords } from "../../core/record.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import { inspectLog, type Log, openLog } from "../../runtimes/deno/log.ts";
import { type SimulatedTime, simulatedTime } from "../fade/simulated_time.ts";
import type { Chance } from "../storage/random.ts";
import { beginReading, type Found, type Recalled } from "./reading.ts";

/** The folder of the log. */
export const folder = "data";

/** The parts of a desk. */
export interface DeskOptions {
  readonly files: FileSystem;
  readonly segmentBytes: number;
  readonly chance: Chance;
  readonly recalled: Recalled;
  /** Is told of each record that the console appends, and whether it was stored. */
  readonly follow?: (record: RecordBytes, stored: Promise<void>) => Promise<void>;
}

/** A console, its log, and its fade driver. */
export interface Desk {
  readonly console: Console;
  readonly log: Log;
  readonly time: SimulatedTime;
  readonly found: Found;
  /** Stops as the service does. */
  stop(): Promise<void>;
}

/** Opens the log and makes a console of its records; rejects where a start of the service would. */
export async function openDesk(
  { files, segmentBytes, chance, recalled, follow = (_, stored) => stored }: DeskOptions,
): Promise<Desk> {
  const reading = beginReading(recalled);
  const log = await openLog(folder, {
    files,
    segmentBytes,
    replay: reading.read,
    checkpoint: () => checkpointRecords(console.state),
  });
  const found = reading.end();
  const time = simulatedTime();
  const { monotonic } = time.clock;
  const console = createConsole({
    state: found.state,
    store: { append: (record) => follow(record, log.append(record)) },
    clock: { monotonic, now: () => 1.8e12 + monotonic() },
    random: { bytes: (count) => Uint8Array.from({ length: count }, () => chance.between(0, 255)) },
  });
  const fadeDriver = createFadeDriver(console, time.timer);
  return {
    console,
    log,
    time,
    found,
    async stop() {
      await fadeDriver.stop();
      await log.close();
    },
  };
}

/** The state in the folder, by `keptOf`, as `faderd log verify` reads it; rejects of damage. */
export async function inspected(files: FileSystem, recalled: Recalled): Promise<string> {
  const reading = beginReading(recalled);
  const { recovery } = await inspectLog(folder, reading.read, files);
  if (recovery.damage !== undefined) throw new Error(`damage: ${JSON.stringify(recovery.damage)}`);
  return reading.end().kept;
}
