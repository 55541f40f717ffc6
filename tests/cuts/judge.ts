/**
 * The check that a start after a power cut finds an allowed state on the medium, and that the
 * console goes on from it.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import { reduce } from "../../core/events.ts";
import { set } from "../../core/tree/set.ts";
import { DEVICE } from "../../core/users/user.ts";
import type { FileSystem } from "../../storage/file-system.ts";
import type { Chance } from "../storage/random.ts";
import { createDisk, type SimulatedDisk } from "../storage/simulated-disk.ts";
import type { Medium } from "../storage/simulated-medium.ts";
import { type Desk, inspected, openDesk } from "./desk.ts";
import { keptOf } from "./history.ts";
import type { Found, Recalled } from "./reading.ts";

/** The parameters of a judgement. */
export interface Case {
  /** The medium after a power cut; the judgement changes it. */
  readonly medium: Medium;
  /** The states that a start may find, by {@link keptOf}. */
  readonly allowed: ReadonlySet<string>;
  readonly segmentBytes: number;
  readonly recalled: Recalled;
  readonly chance: Chance;
  readonly garbles: boolean;
  readonly wrap: (files: FileSystem) => FileSystem;
}

/** Probability of a second cut, during the start that follows the first cut or soon after it. */
const secondCuts = 0.35;

/**
 * Starts the service on the medium, with a second power cut or kill during some of the starts. It
 * must find one of the allowed states, whole and writable; one more change must survive a further
 * cut; and the inspection of the log must agree. Returns whether there was a second cut, and
 * rejects with the fault.
 */
export async function judge(one: Case): Promise<boolean> {
  const { medium, chance, garbles, segmentBytes, recalled } = one;
  const disk = createDisk(chance, { medium, garbles });
  const files = one.wrap(disk.files);
  const open = () => openDesk({ files, segmentBytes, chance, recalled });
  let { allowed } = one;
  const isCutAgain = chance.hits(secondCuts);
  if (isCutAgain) {
    disk.failPowerIn(chance.between(1, 12));
    allowed = await cutAgain(disk, open, allowed, recalled);
    disk.restart(chance.hits(0.7) ? "power" : "kill");
  }
  const desk = await open();
  const kept = await goesOn(disk, one, desk, allowed);
  if (chance.hits(0.2)) {
    const again = await open();
    expectFound(again, new Set([kept]));
    await again.stop();
  }
  return isCutAgain;
}

/**
 * Asserts that an opened log holds one of the allowed states, and takes one more change, which
 * survives a power cut, and which an inspection of the log finds. Returns the state after it.
 */
export async function goesOn(
  disk: SimulatedDisk,
  { wrap, recalled }: Case,
  desk: Desk,
  allowed: ReadonlySet<string>,
): Promise<string> {
  expectFound(desk, allowed);
  const kept = afterMark(desk.found, recalled);
  const outcome = await desk.console.dispatch(mark, DEVICE);
  if (isRefusal(outcome)) throw new Error(`a change was refused: ${outcome.message}`);
  disk.failPowerIn(1);
  await desk.log.close();
  disk.restart("power");
  const inspection = await inspected(wrap(disk.files), recalled);
  if (inspection !== kept) throw new Error("the inspection found another state than was stored");
  return kept;
}

const stillClock = { now: () => 0, monotonic: () => 0 };
const noBytes = (count: number) => new Uint8Array(count);

/** A change that differs from all earlier ones. */
const mark = set("/control/labels/1/label", "after the cut");

/** The state of a log once the mark is stored, too. */
function afterMark({ state, kept }: Found, recalled: Recalled): string {
  const key = `marked ${kept}`;
  const known = recalled.get(key);
  if (known !== undefined) return known.kept;
  const decision = mark(state, DEVICE, { clock: stillClock, random: { bytes: noBytes } });
  if (isRefusal(decision)) throw new Error(decision.message);
  const after = decision.events.reduce(reduce, state);
  const marked = { state: after, kept: keptOf(after) };
  recalled.set(key, marked);
  return marked.kept;
}

/** A start with a power cut at any operation; returns the states that the next start may find. */
async function cutAgain(
  disk: SimulatedDisk,
  open: () => Promise<Desk>,
  allowed: ReadonlySet<string>,
  recalled: Recalled,
): Promise<ReadonlySet<string>> {
  let desk: Desk;
  try {
    desk = await open();
  } catch (fault) {
    if (disk.isDown) return allowed;
    throw fault;
  }
  const { found, console, log } = desk;
  const isOpen = !disk.isDown;
  if (isOpen) {
    expectFound(desk, allowed);
    const marked = afterMark(found, recalled);
    const outcome = await console.dispatch(mark, DEVICE);
    if (isRefusal(outcome) && !disk.isDown) throw new Error(`refused: ${outcome.message}`);
    allowed = new Set(isRefusal(outcome) ? [found.kept, marked] : [marked]);
  }
  disk.failPowerIn(1);
  await log.close();
  return allowed;
}

function expectFound({ found, log }: Desk, allowed: ReadonlySet<string>): void {
  const { condition, recovery: { damage } } = log;
  if (damage !== undefined) throw new Error(`damage: ${JSON.stringify(damage)}`);
  if (!allowed.has(found.kept)) throw new Error("what was found is not what was acknowledged");
  if (condition.state !== "ok") throw new Error(`the log is ${JSON.stringify(condition)}`);
}
