/**
 * The simulated engine: it reports what the meters of a simulation show while anybody hears of
 * them, and when they are read.
 *
 * @module
 */
import type { Engine, Timer } from "../../core/ports.ts";
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { allReady } from "../mixing/mixer.ts";
import { audioOf } from "./parts.ts";
import { createSimulation } from "./simulation.ts";

/** A simulated engine is made of this. */
export interface SimulatedEngineOptions {
  /** Engines of one seed have the same signals at the same time of their timers. */
  readonly seed: number;
  readonly timer: Timer;
  /** Returns the control tree that is in force. */
  readonly tree: () => Branch;
  /** Says whether anybody is subscribed to meters. */
  readonly heard: () => boolean;
}

/** The interval of the reports of meters, in ms: 25 a second. */
const REPORT_MS = 40;

/** The interval at which subscribers to meters are looked for while there are none, in ms. */
const UNHEARD_MS = 200;

/** Makes a simulated engine, which runs from its `start` on for good. */
export function createSimulatedEngine(
  { seed, timer, tree, heard }: SimulatedEngineOptions,
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

  function wakeIn(every: number): void {
    const due = (Math.floor(timer.monotonic() / every) + 1) * every;
    timer.at(due, () => {
      const isHeard = heard();
      if (isHeard) refresh();
      wakeIn(isHeard ? REPORT_MS : UNHEARD_MS);
    });
  }

  return {
    standsIn: true,
    // What changed is seen in the tree, when the next report is made.
    apply() {},
    start(given) {
      report = given;
      report(allReady(audioOf(tree()).mixers));
      wakeIn(UNHEARD_MS);
    },
    refresh,
  };
}
