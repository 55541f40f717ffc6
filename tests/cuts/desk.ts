/**
 * The console of the simulation, on a log on a simulated disk: what `program/open-console.ts` makes,
 * with a clock, chance and a timer that a seed repeats.
 *
 * @module
 */
import { type Console, createConsole } from "../../core/console.ts";
import { createMover } from "../../core/fades/mover.ts";
import type { RecordBytes } from "../../core/ports.ts";
import { checkpointRecords } from "../../core/record.ts";
import { beginReplay } from "../../core/replay.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import { inspectLog, type Log, openLog } from "../../storage/log.ts";
import { type SimulatedTime, simulatedTime } from "../fade/simulated_time.ts";
import type { Chance } from "../storage/random.ts";
import { configuration } from "./asked.ts";
import { keptOf } from "./history.ts";

/** The folder of the log. */
export const folder = "data";

/** What a desk is made of. */
export interface DeskOptions {
  readonly files: FileSystem;
  readonly segmentBytes: number;
  readonly chance: Chance;
  /** Hears of each record that the console appends, and of what came of it. */
  readonly follow?: (record: RecordBytes, stored: Promise<void>) => Promise<void>;
}

/** A console, what keeps it, and what moves its faders. */
export interface Desk {
  readonly console: Console;
  readonly log: Log;
  readonly time: SimulatedTime;
  /** What the start found, by {@link keptOf}. */
  readonly found: string;
  /** Stops as the service does. */
  stop(): Promise<void>;
}

/** Opens the log and makes a console of what it holds; rejects where a start of the service does. */
export async function openDesk(
  { files, segmentBytes, chance, follow = (_, stored) => stored }: DeskOptions,
): Promise<Desk> {
  const replay = beginReplay(configuration);
  const log = await openLog(folder, {
    files,
    segmentBytes,
    replay: (record) => replay.read(record),
    checkpoint: () => checkpointRecords(console.state),
  });
  const state = replay.end();
  const time = simulatedTime();
  const { monotonic } = time.clock;
  const console = createConsole({
    state,
    store: { append: (record) => follow(record, log.append(record)) },
    clock: { monotonic, now: () => 1.8e12 + monotonic() },
    random: { bytes: (count) => Uint8Array.from({ length: count }, () => chance.between(0, 255)) },
  });
  const mover = createMover(console, time.timer);
  return {
    console,
    log,
    time,
    found: keptOf(state),
    async stop() {
      await mover.stop();
      await log.close();
    },
  };
}

/** What the folder holds as `faderd log verify` finds it, by {@link keptOf}; rejects of damage. */
export async function inspected(files: FileSystem): Promise<string> {
  const replay = beginReplay(configuration);
  const { recovery } = await inspectLog(folder, (record) => replay.read(record), files);
  if (recovery.damage !== undefined) throw new Error(JSON.stringify(recovery.damage));
  return keptOf(replay.end());
}
