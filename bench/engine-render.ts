/**
 * Renders a mixer by node-web-audio-api, and prints how many seconds of sound it makes in a second,
 * as JSON. `engine-audio.ts` runs it, for it needs packages that nothing else does.
 *
 * @module
 */
/// <reference lib="dom" />
import { OfflineAudioContext } from "../engine/web-audio/deno/web-audio.ts";
import process from "node:process";
import { readConfiguration } from "../core/configuration/configuration.ts";
import { initialState } from "../core/state.ts";
import { type Branch, merge, type Patch } from "../core/tree/tree.ts";
import { createEngine } from "../engine/web-audio/engine.ts";
import type { SourceKind } from "../engine/web-audio/sources.ts";
import { print } from "./report.ts";

const RATE = 48_000;
const REPORT_SECONDS = 0.04;

/** What is rendered. */
export interface Render {
  readonly faders: number;
  /** The blocks that are on at each fader. */
  readonly blocks: readonly string[];
  /** Whether sources are stereo. */
  readonly stereo: boolean;
  /** Whether every fader fades all the time. */
  readonly fading: boolean;
  /** Whether the meters of all of them are read 25 times a second. */
  readonly metered: boolean;
  /** How long the sound is. */
  readonly seconds: number;
}

const render = JSON.parse(Deno.args[0]!) as Render;
const context = new OfflineAudioContext(
  2,
  render.seconds * RATE,
  RATE,
) as unknown as globalThis.OfflineAudioContext;
const engine = createEngine(context, { sources: sourcesOf(render) }, 0);
engine.whole(treeOf(render));

if (render.fading) {
  for (let tick = 1; tick < render.seconds / 0.02; tick++) {
    const fader = -20 + 15 * Math.sin(tick / 20);
    const faders = Object.fromEntries(
      Array.from({ length: render.faders }, (_, id) => [id, { fader }]),
    );
    context.suspend(tick * 0.02).then(() => {
      engine.apply({ audio: { mixers: { 0: { faders } } } }, tick);
      return context.resume();
    });
  }
} else if (render.metered) {
  for (let at = REPORT_SECONDS; at < render.seconds; at += REPORT_SECONDS) {
    context.suspend(at).then(() => {
      engine.meters();
      return context.resume();
    });
  }
}
// The library has to note where to stop before it begins.
await new Promise((resolve) => setTimeout(resolve, 100));
// The time of a core, not that of the clock: others may be at work on this machine.
const before = process.cpuUsage();
await context.startRendering();
const { user, system } = process.cpuUsage(before);
print(JSON.stringify(render.seconds / ((user + system) / 1e6)));

function treeOf({ faders, blocks }: Render): Branch {
  const processing = [
    "subsonic",
    "expander",
    "gate",
    "eq1",
    "eq2",
    "eq3",
    "eq4",
    "compressor",
    "limiter",
  ];
  const read = readConfiguration({
    mixers: [{
      faders: Array.from({ length: faders }, (_, id) => ({
        channel: id + 1,
        label: `${id + 1}`,
        processing,
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

function sourcesOf({ faders, stereo, seconds }: Render): Record<string, SourceKind> {
  const buffer = context.createBuffer(stereo ? 2 : 1, Math.min(4, seconds) * RATE, RATE);
  for (let channel = 0; channel < buffer.numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel);
    for (let at = 0; at < samples.length; at++) {
      samples[at] = 0.3 * Math.sin(at * (0.01 + channel / 1000)) * Math.sin(at / 5000);
    }
  }
  return Object.fromEntries(
    Array.from({ length: faders }, (_, id) => [id + 1, { kind: "buffer", buffer }]),
  );
}
