/**
 * Joins the audio engine of a program to the control tree: the engine acts on changes, and reports
 * the read-only values that only it knows (meters, gain reductions, readiness).
 *
 * @module
 */
import { changesConfiguration } from "./backup/restored.ts";
import type { Console } from "./console.ts";
import { changed, EVERYTHING } from "./engines/claim.ts";
import { takeReport } from "./engines/report.ts";
import type { Engine } from "./ports.ts";
import { mayHaveMeters } from "./tree/meters.ts";
import type { Branch, Patch } from "./tree/tree.ts";
import { DEVICE } from "./users/user.ts";

/** The absence of an audio engine: nothing sounds, and every meter stays at -125 dB. */
export const silence: Engine = { apply() {}, start() {} };

/**
 * Joins an engine to a console. `general/_engine` says that an engine runs, except for {@linkcode
 * silence}. Its reports are taken as `takeReport` says, and never touch the medium. Before meters
 * are read the engine is asked to bring them up to date. Once a client has claimed paths, an engine
 * that only stands in is not asked any more, and its reports are ignored.
 */
export function joinEngine(console: Console, engine: Engine): void {
  const plays = () => console.state.engines.own !== "none";
  if (engine !== silence) {
    const own = engine.standsIn === true ? "standsIn" : "plays";
    const begin = { ...console.state.engines, own } as const;
    console.dispatch((state) => ({ events: changed(state, begin), result: {} }), DEVICE);
  }
  console.watch((event, { tree }) => {
    if (event.type === "treechanged") engine.apply(event.patch, event.tick);
    // Another configuration makes another console: the engine receives all of its values.
    else if (changesConfiguration(event)) {
      const { range: _, ...live } = tree;
      engine.apply(live as unknown as Patch);
    }
  });
  engine.start((report) => {
    if (plays()) console.dispatch(takeReport(report as Branch, [EVERYTHING]), DEVICE);
  });
  console.beforeReading((path) => {
    if (plays() && mayHaveMeters(path)) engine.refresh?.();
  });
}
