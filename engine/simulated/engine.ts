/**
 * The simulated engine: it reports the meters of a simulation while there are subscribers to
 * meters, and before meters are read.
 *
 * @module
 */
import type { Engine, Timer } from "../../core/ports.ts";
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { allReady } from "../mixing/mixer.ts";
import { audioOf } from "./parts.ts";
import { createSimulation } from "./simulation.ts";

/** Options of a simulated engine. */
export interface SimulatedEngineOptions {
  /**
   * The seed: engines with the same seed have the same signals at the same reading of their
   * monotonic clocks.
   */
  readonly seed: number;
  readonly timer: Timer;
  /** Returns the control tree in force. */
  readonly tree: () => Branch;
  /** Says whether there are subscribers to meters. */
  readonly hasSubscribers: () => boolean;
}

/** Interval between reports of meters in ms: 25 reports a second. */
const REPORT_MS = 40;

/** Interval in ms at which the engine checks for subscribers to meters while there are none. */
const IDLE_CHECK_MS = 200;

/** Makes a simulated engine, which runs from its `start` until the end of the program. */
export function createSimulatedEngine(
  { seed, timer, tree, hasSubscribers }: SimulatedEngineOptions,
): Engine {
  const simulation = createSimulation(seed);
  let report: (patch: Patch) => void = () => {};
  let reported = -1;

  function refresh(): void {
    const now = timer.monotonic();
    const count = Math.floor(now / REPORT_MS);
    if (count === reported) return;
    reported = count;
    report(simulation.meters(tree(), now / 1000));
  }

  /** Wakes up at the next multiple of an interval, so that reports come on a fixed grid. */
  function wakeAtNext(intervalMs: number): void {
    const due = (Math.floor(timer.monotonic() / intervalMs) + 1) * intervalMs;
    timer.at(due, () => {
      const isNeeded = hasSubscribers();
      if (isNeeded) refresh();
      wakeAtNext(isNeeded ? REPORT_MS : IDLE_CHECK_MS);
    });
  }

  return {
    standsIn: true,
    // Changes need no handling: the next report reads the tree.
    apply() {},
    start(given) {
      report = given;
      report(allReady(audioOf(tree()).mixers));
      wakeAtNext(IDLE_CHECK_MS);
    },
    refresh,
  };
}
