/**
 * The states of the simulation, by number: each is a moment of some run at which power goes, and
 * what chance leaves on the medium then. A seed and a number repeat one.
 *
 * @module
 */
import type { FileSystem } from "../../storage/file-system.ts";
import { type Chance, chanceOf } from "../storage/random.ts";
import type { Faults, Operation } from "../storage/simulated-disk.ts";
import { afterPowerCut, apply, type Change, newMedium } from "../storage/simulated-medium.ts";
import { judge } from "./judge.ts";
import { judgeRepair } from "./repair.ts";
import { recordRun, type Run, type RunOptions } from "./run.ts";

/** Number of states of each run. */
export const statesOfRun = 20;

/** Which states, and on what. */
export interface StatesOptions {
  readonly seed: number;
  /** The number of the first state; 0 without it. */
  readonly from?: number;
  /** The number of the state before which to stop. */
  readonly to: number;
  /** Whether a sector that is being written when power goes may hold anything: so by default. */
  readonly garbles?: boolean;
  /** After how many of the cuts something is harmed, too, and repaired; by default 0.1 of them. */
  readonly repairs?: number;
  /** Stands between the log and the disk. */
  readonly wrap?: (files: FileSystem) => FileSystem;
}

/** What one state came to. */
export interface StateOutcome {
  readonly state: number;
  /**
   * Power was cut; and once more in the start after it; or a bit was flipped then, and the log
   * repaired. A run that finds itself that something is wrong has no states.
   */
  readonly kind: "cut" | "second cut" | "repair" | "run";
  /** What is wrong, if anything. */
  readonly fault?: unknown;
}

/** Counts of what was made to fail in the runs, by operation and code: `sync EIO`. */
export type FaultTally = Map<string, number>;

/** Goes through the states from one number to another. */
export async function* statesOf(
  { seed, from = 0, to, garbles = true, repairs = 0.1, wrap = (files) => files }: StatesOptions,
  tally: FaultTally = new Map(),
): AsyncGenerator<StateOutcome> {
  for (let first = from - from % statesOfRun; first < to; first += statesOfRun) {
    const number = first / statesOfRun;
    let run: Run;
    try {
      const chance = chanceOf(mixed(seed, -1 - number));
      run = await recordRun({ chance, wrap, ...failing(number, chance, tally) });
    } catch (fault) {
      yield { state: Math.max(first, from), kind: "run", fault };
      continue;
    }
    yield* statesIn(run, { seed, first, from, to, garbles, repairs, wrap });
  }
}

function mixed(seed: number, number: number): number {
  return (Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b)) >>> 0;
}

async function* statesIn(
  { changes, history, segmentBytes, recalled }: Run,
  { seed, first, from, to, garbles, repairs, wrap }: Required<StatesOptions> & {
    readonly first: number;
  },
): AsyncGenerator<StateOutcome> {
  const moments = Array.from({ length: statesOfRun }, (_, index) => {
    const chance = chanceOf(mixed(seed, first + index));
    return { state: first + index, chance, at: momentIn(changes, chance) };
  }).filter(({ state }) => state >= from && state < to).sort((a, b) => a.at - b.at);
  const medium = newMedium();
  let applied = 0;
  for (const { state, chance, at } of moments) {
    for (; applied < at; applied++) apply(medium, changes[applied]!);
    const left = afterPowerCut(medium, chance, garbles);
    const allowed = new Set(history.allowedAt(at).keys());
    try {
      const one = { medium: left, allowed, segmentBytes, recalled, chance, garbles, wrap };
      const kind = chance.hits(repairs) ? "repair" : await judge(one) ? "second cut" : "cut";
      if (kind === "repair") await judgeRepair(one);
      yield { state, kind };
    } catch (fault) {
      yield { state, kind: "cut", fault };
    }
  }
}

/** When power goes: at any moment, or soon after something that is rare between all the writes. */
function momentIn(changes: readonly Change[], chance: Chance): number {
  const any = chance.between(0, changes.length);
  if (chance.hits(0.5)) return any;
  const isRare = ({ type }: Change) => type !== "write" && type !== "sync";
  const rare = changes.findIndex((change, at) => at >= any && isRare(change));
  return rare < 0 ? any : Math.min(changes.length, rare + chance.between(1, 3));
}

const codes = ["EIO", "ENOSPC", "EROFS"];

/**
 * How the medium of a run fails: of four runs two have a sound one; in the third one operation
 * fails, often a sync, or a few of its kind from there on; in the fourth many do, or there is little room.
 */
function failing(number: number, chance: Chance, tally: FaultTally): Pick<RunOptions, "fails"> {
  const way = number % 4;
  if (way < 2) return {};
  const code = (operation: Operation) =>
    operation === "write" && chance.hits(0.3) ? "SHORT" : codes[chance.between(0, 2)]!;
  const room = way === 3 && chance.hits(0.5) ? chance.between(1, 60) * 4096 : Infinity;
  let faults: Faults;
  if (way === 2) {
    const isSync = chance.hits(0.4);
    const at = chance.between(0, isSync ? 60 : 250);
    let times = chance.hits(0.5) ? 1 : chance.between(1, 12);
    let kind: Operation | undefined = isSync ? "sync" : undefined;
    let done = 0;
    faults = (operation) => {
      if (isSync && operation !== kind) return undefined;
      if (done++ < at || kind !== undefined && kind !== operation || times-- <= 0) return undefined;
      kind ??= operation;
      return code(operation);
    };
  } else {
    const often = chance.between(0, room < Infinity ? 1 : 6) / 20;
    faults = (operation) => chance.hits(often) ? code(operation) : undefined;
  }
  const counted: Faults = (operation, path) => {
    const code = faults(operation, path);
    if (code === undefined) return undefined;
    const key = `${operation} ${code}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
    return code;
  };
  return { fails: { faults: counted, room } };
}
