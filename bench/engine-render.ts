/**
 * Plays a mixer without output by node-web-audio-api, and prints, as JSON, its memory, the time of
 * a core that it takes for a second of sound, and the seconds of sound that it renders in a second.
 * `engine-audio.ts` runs it, because it needs packages that nothing else does.
 *
 * @module
 */
/// <reference lib="dom" />
import process from "node:process";
import { readConfiguration } from "../core/configuration/configuration.ts";
import { initialState } from "../core/state.ts";
import { type Branch, merge, type Patch } from "../core/tree/tree.ts";
import { AudioContext, worklet } from "../engine/web-audio/deno/web-audio.ts";
import { createEngine } from "../engine/web-audio/engine.ts";
import { openOutput } from "../engine/web-audio/output.ts";
import { print, sleep } from "./report.ts";

const RATE = 48_000;
const REPORT_MS = 40;
const TICK_MS = 20;

/** Time in ms until all code has been compiled. */
const SETTLE_MS = 2000;

/** The mixer to play. */
export interface Render {
  readonly faders: number;
  /** The blocks that are on at each fader. */
  readonly blocks: readonly string[];
  /** Whether every fader fades all the time. */
  readonly fading: boolean;
  /** The duration of the measurement in s. */
  readonly seconds: number;
}

/** The results. */
export interface Rendered {
  /** Resident memory in MB. */
  readonly megabytes: number;
  /** Seconds of a core per second of sound. */
  readonly cores: number;
  /** Seconds of sound per second. */
  readonly sound: number;
}

const render = JSON.parse(Deno.args[0]!) as Render;
const context = new AudioContext(
  { sampleRate: RATE, sinkId: { type: "none" } } as object,
) as unknown as globalThis.AudioContext;
const sources = Object.fromEntries(
  Array.from({ length: render.faders }, (_, id) => [
    id + 1,
    { kind: "tone", frequency: 100 + 10 * id, level: -20 } as const,
  ]),
);
const output = await openOutput(context, { sources }, worklet);
const engine = createEngine(output, {});
engine.whole(treeOf(render));
setInterval(() => engine.meters(), REPORT_MS);
if (render.fading) {
  let tick = 0;
  setInterval(() => {
    const fader = -20 + 15 * Math.sin(++tick / 20);
    const ids = Array.from({ length: render.faders }, (_, id) => [id, { fader }]);
    engine.apply({ audio: { mixers: { 0: { faders: Object.fromEntries(ids) } } } }, tick);
  }, TICK_MS);
}

await sleep(SETTLE_MS);
const before = { cpu: process.cpuUsage(), at: performance.now(), sound: context.currentTime };
await sleep(render.seconds * 1000);
const { user, system } = process.cpuUsage(before.cpu);
const sound = context.currentTime - before.sound;
const rendered: Rendered = {
  megabytes: Deno.memoryUsage().rss / 1e6,
  cores: (user + system) / 1e6 / sound,
  sound: 1000 * sound / (performance.now() - before.at),
};
print(JSON.stringify(rendered));
Deno.exit(0);

function treeOf({ faders, blocks }: Render): Branch {
  const read = readConfiguration({
    mixers: [{
      faders: Array.from({ length: faders }, (_, id) => ({
        channel: id + 1,
        label: `${id + 1}`,
        processing: [...blocks] as never,
      })),
    }],
    levels: [{ id: 1 }],
    loudness: [{ id: 1 }],
  });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const { tree } = initialState(read.configuration);
  const params = Object.fromEntries(
    blocks.map((name) => [name, { on: true, ...(name.startsWith("eq") ? { gain: 3 } : {}) }]),
  );
  const open = { on: true, fader: -20, params };
  const all = Object.fromEntries(Array.from({ length: faders }, (_, id) => [id, open]));
  return merge(tree as unknown as Branch, { audio: { mixers: { 0: { faders: all } } } } as Patch);
}
