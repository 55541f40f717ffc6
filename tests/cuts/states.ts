/**
 * The states of the simulation, by number: each is a power cut at a moment of some run, and a
 * random choice of the writes that stay on the medium. A seed and a number repeat a state.
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

/** The states to try, and the medium. */
export interface StatesOptions {
  readonly seed: number;
  /** The number of the first state; by default 0. */
  readonly from?: number;
  /** The number after that of the last state. */
  readonly to: number;
  /** Whether a sector that is being written at the cut may hold any bytes; by default true. */
  readonly garbles?: boolean;
  /** The share of the cuts after which a file is damaged and repaired; by default 0.1. */
  readonly repairs?: number;
  /** Wraps the file system of the disk, for the log. */
  readonly wrap?: (files: FileSystem) => FileSystem;
}

/** The outcome of one state. */
export interface StateOutcome {
  readonly state: number;
  /**
   * A power cut; a second one in the start after it; a damage and the repair of the log; or a run
   * that failed itself, which has no states.
   */
  readonly kind: "cut" | "second cut" | "repair" | "run";
  /** The fault; undefined where there is none. */
  readonly fault?: unknown;
}

/** Counts of the faults in the runs, by operation and code: `sync EIO`. */
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

/** The moment of the power cut: any, or soon after an operation that is not a write or a sync. */
function momentIn(changes: readonly Change[], chance: Chance): number {
  const any = chance.between(0, changes.length);
  if (chance.hits(0.5)) return any;
  const isRare = ({ type }: Change) => type !== "write" && type !== "sync";
  const rare = changes.findIndex((change, at) => at >= any && isRare(change));
  return rare < 0 ? any : Math.min(changes.length, rare + chance.between(1, 3));
}

const codes = ["EIO", "ENOSPC", "EROFS"];

/**
 * The faults of the medium of a run: of four runs two have none; in the third one operation fails,
 * often a sync, or a few of its kind from there on; in the fourth many fail, or the medium is
 * small.
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
