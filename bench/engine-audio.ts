/**
 * How much sound does the engine in Web Audio render in a second of one core? 64 faders, with all
 * processing off, with filters, with all of it; with meters, and while all faders fade.
 *
 * @module
 */
import type { Render } from "./engine-render.ts";
import { printedBy } from "./process.ts";
import { benchOptions, type Figure, figureOf, report } from "./report.ts";

const TARGET = 20;
const FILTERS = ["subsonic", "eq1", "eq2", "eq3", "eq4"];
const ALL = [...FILTERS, "expander", "compressor", "limiter"];

/** The packages of the engine, which nothing else needs. */
const PACKAGES = ["--lock=engine/web-audio/deno.lock", "--frozen"];

const options = benchOptions({ rounds: 3, seconds: 2 });
const usual = { faders: 64, stereo: true, fading: false, metered: false, blocks: [] };

const renders: readonly (readonly [string, Omit<Render, "seconds">, boolean])[] = [
  ["all processing, on", { ...usual, blocks: ALL }, true],
  ["filters on", { ...usual, blocks: FILTERS }, false],
  ["all processing, off", usual, false],
  ["off, mono sources", { ...usual, stereo: false }, false],
  ["off, all faders fading", { ...usual, fading: true }, false],
  ["off, meters read 25 times a second", { ...usual, metered: true }, false],
];

const figures: Figure[] = [];
for (const [name, render, hasTarget] of renders) {
  const perRound: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const asked = JSON.stringify({ ...render, seconds: options.seconds });
    perRound.push(await printedBy("engine-render.ts", [asked], PACKAGES));
  }
  const realTime = perRound.map(() => 1);
  const target = hasTarget ? { atLeast: TARGET } : undefined;
  figures.push(
    figureOf(`64 faders, ${name}`, "s per s of a core", perRound, realTime, "ratio", target),
  );
}
report("engine-audio", [{ sides: ["rendered", "real time"], figures }], options);
