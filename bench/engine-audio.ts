/**
 * The load of the engine in Web Audio on a machine: 64 and 128 faders, with all processing off,
 * with the processing of a usual channel, with all dynamics, and while all faders fade. Meters are
 * always on.
 *
 * @module
 */
import type { Render, Rendered } from "./engine-render.ts";
import { printedBy, V8_FLAGS } from "./process.ts";
import { benchOptions, type Figure, figureOf, report } from "./report.ts";

/** The targets of an engine of 64 faders with the processing of usual channels. */
const BUDGET = { megabytes: 150, cores: 0.5 } as const;

const USUAL = ["subsonic", "eq1", "eq2", "eq3", "compressor"];
const DYNAMICS = ["expander", "limiter"];

/**
 * The flags of Deno in `deno task engine`: the packages of the engine, which nothing else needs.
 */
const FLAGS = [V8_FLAGS, "--lock=engine/web-audio/deno.lock", "--frozen"];

const options = benchOptions({ rounds: 3, seconds: 5 });

const mixes: readonly (readonly [string, Pick<Render, "blocks" | "fading">])[] = [
  ["processing off", { blocks: [], fading: false }],
  ["subsonic, 3 EQs, compressor", { blocks: USUAL, fading: false }],
  ["these, and all faders fade", { blocks: USUAL, fading: true }],
  ["these, expander and limiter", { blocks: [...USUAL, ...DYNAMICS], fading: false }],
];

const figures: Figure[] = [];
for (const faders of [64, 128]) {
  for (const [name, mix] of mixes) {
    const rounds: Rendered[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const asked = JSON.stringify({ ...mix, faders, seconds: options.seconds });
      rounds.push(await printedBy<Rendered>("engine-render.ts", [asked], FLAGS));
    }
    const hasTarget = faders === 64 && mix.blocks === USUAL && !mix.fading;
    const target = hasTarget ? { atMost: 1 } : undefined;
    for (const [unit, of] of [["MB", "megabytes"], ["cores", "cores"]] as const) {
      const taken = rounds.map((one) => one[of]);
      const budget = rounds.map(() => BUDGET[of]);
      figures.push(figureOf(`${faders} faders, ${name}`, unit, taken, budget, "ratio", target));
    }
  }
}
report("engine-audio", [{ sides: ["taken", "budget"], figures }], options);
