/**
 * Recorded runs of the service on a simulated disk: every event of the medium, and the time of each
 * answer.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { FileSystem } from "../../storage/file-system.ts";
import { StorageError } from "../../storage/storage-error.ts";
import { createDisk, type Faults, type SimulatedDisk } from "../storage/simulated-disk.ts";
import type { Change } from "../storage/simulated-medium.ts";
import type { Chance } from "../storage/random.ts";
import { ask } from "./asked.ts";
import { type Desk, openDesk } from "./desk.ts";
import { beginHistory, type History, keptOf } from "./history.ts";
import type { Recalled } from "./reading.ts";

/** The options of a run. */
export interface RunOptions {
  readonly chance: Chance;
  /** Wraps the file system of the disk, for the log. */
  readonly wrap?: (files: FileSystem) => FileSystem;
  /** The faults of the medium, and its capacity in bytes, until the last start. */
  readonly fails?: { readonly faults: Faults; readonly room: number };
}

/** A recorded run. */
export interface Run {
  readonly changes: readonly Change[];
  readonly history: History;
  readonly segmentBytes: number;
  readonly recalled: Recalled;
}

/** Maximum number of open groups: with more, there are too many possible states to compare. */
const mostOpenGroups = 4;

/** Lets a console run, end or be killed, and start again, several times, and records the run. */
export async function recordRun(
  { chance, wrap = (files) => files, fails }: RunOptions,
): Promise<Run> {
  const changes: Change[] = [];
  const history = beginHistory();
  const disk = createDisk(chance, { observe: (change) => void changes.push(change) });
  const files = wrap(disk.files);
  const segmentBytes = chance.between(1, 40) * 1000;
  const recalled: Recalled = new Map();
  const now = () => changes.length;
  const follow = async (record: Parameters<History["append"]>[0], stored: Promise<void>) => {
    const entry = history.append(record, now());
    try {
      await stored;
      history.acknowledged(entry, now());
    } catch (fault) {
      if (!disk.isDown && fault instanceof StorageError) {
        history.refused(entry, fault.certain, now());
      }
      throw fault;
    }
  };
  const lives = fails === undefined ? chance.between(1, 3) : 4;
  for (let life = 1; life <= lives; life++) {
    const isSound = fails === undefined || life === lives;
    disk.faults = isSound ? () => undefined : fails.faults;
    disk.capacity = isSound ? Infinity : fails.room;
    // The medium is nearly full at the next start.
    if (disk.capacity < Infinity && life > 1 && chance.hits(0.5)) {
      disk.capacity = disk.used + chance.between(0, 4) * 4096;
    }
    let desk: Desk;
    try {
      desk = await openDesk({ files, segmentBytes, chance, recalled, follow });
    } catch (fault) {
      if (isSound) throw fault;
      continue;
    }
    if (desk.log.condition.state !== "damaged") {
      const allowed = history.allowedAt(now()).get(desk.found.kept);
      if (allowed === undefined) throw new Error(`start ${life} did not find what was stored`);
      history.began(allowed);
      await live(desk, chance, history, () => history.confirmed(now()));
      if (!isSound && chance.hits(0.3)) await recuperate(desk, disk);
    }
    await end(desk, disk, chance);
    history.ended();
  }
  return { changes, history, segmentBytes, recalled };
}

/** Makes random requests, several at a time, while faders move and the log is compacted. */
async function live(desk: Desk, chance: Chance, history: History, confirm: () => void) {
  const { log, console, time } = desk;
  for (let left = chance.between(3, 9); left > 0; left--) {
    // Until the medium has taken a write, the records that the start found may still be lost.
    if (log.condition.state === "ok") confirm();
    if (history.openGroups > mostOpenGroups) return;
    const answers: Promise<unknown>[] = [];
    for (let asked = chance.between(1, 4); asked > 0; asked--) answers.push(ask(console, chance));
    if (chance.hits(0.3)) time.runTo(time.clock.monotonic() + chance.between(1, 1500));
    if (chance.hits(0.1)) answers.push(log.compact());
    if (log.condition.state !== "ok" && chance.hits(0.5)) answers.push(log.retry());
    await Promise.allSettled(answers);
  }
  const inForce = keptOf(console.state);
  if (!history.allowedAt(Number.MAX_SAFE_INTEGER).has(inForce)) {
    throw new Error("in force is what is not stored");
  }
}

/** Mends the medium: the log is well again without a restart, and can be compacted. */
async function recuperate({ log }: Desk, disk: SimulatedDisk): Promise<void> {
  disk.faults = () => undefined;
  disk.capacity = Infinity;
  await log.compact();
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
}

async function end(desk: Desk, disk: SimulatedDisk, chance: Chance): Promise<void> {
  if (chance.hits(0.4)) return await desk.stop();
  // A kill, mostly in the middle of an operation.
  disk.failPowerIn(chance.between(1, 20));
  const answers = [ask(desk.console, chance), ask(desk.console, chance)];
  if (chance.hits(0.4)) answers.push(desk.log.compact());
  await Promise.allSettled(answers);
  await Promise.allSettled([desk.stop()]);
  disk.restart("kill");
}
