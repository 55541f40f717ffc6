/**
 * How much sound does the engine in Web Audio render in a second of one core? 64 faders, with all
 * processing off, with filters, with all of it; with meters, and while all faders fade.
 *
 * @module
 */
import type { Render } from "./engine-render.ts";
import { benchOptions, type Figure, median, report } from "./report.ts";

const TARGET = 20;
const FILTERS = ["subsonic", "eq1", "eq2", "eq3", "eq4"];
const ALL = [...FILTERS, "expander", "compressor", "limiter"];

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
    perRound.push(await ratioOf({ ...render, seconds: options.seconds }));
  }
  const ours = median(perRound);
  figures.push({
    name: `64 faders, ${name}`,
    unit: "s per s of a core",
    ours,
    peer: 1,
    compared: ours,
    perRound,
    ...(hasTarget ? { target: { atLeast: TARGET } } : {}),
  });
}
report("engine-audio", [{ sides: ["rendered", "real time"], figures }], options);

/** Renders in a process of its own, with the packages of the engine. */
async function ratioOf(render: Render): Promise<number> {
  const path = (name: string) => new URL(name, import.meta.url).pathname;
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      `--lock=${path("../engine/web-audio/deno.lock")}`,
      "--frozen",
      "--allow-all",
      path("engine-render.ts"),
      JSON.stringify(render),
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`rendering failed: ${JSON.stringify(render)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
