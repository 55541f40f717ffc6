/// <reference lib="dom" />
/**
 * How loud a signal is, as a signal. The standard has no node for that, and an `AudioWorklet`
 * outside of browsers costs a change of threads for each 128 samples of each channel. So it is made
 * of nodes that every implementation runs natively.
 *
 * ```
 * input - |x| ─┬ lowpass, attack ──┬ higher - dB - output
 *              └ lowpass, release ─┘
 * ```
 *
 * All numbers are those of a sine's peak, as with the compressor of the standard. Attack and
 * release are the time constants of the lowpasses.
 *
 * @module
 */
import type { BlockValues, ParamOf } from "./block.ts";
import type { Stage } from "../stage.ts";

/** Levels and reductions are carried by a signal as dB over this, so that they stay in -1..1. */
export const SPAN_DB = 100;

/** Points of a table of levels on each side of 0. The quietest level that it resolves is -68 dB. */
const LEVEL_POINTS = 4096;

/** The mean of a rectified sine, over its peak. */
const MEAN_OF_SINE = 2 / Math.PI;

/** A signal is read as it is now; an analyser keeps no fewer samples. */
const NEWEST_SAMPLES = 32;

/** Times of a detector, in ms. */
export interface Times {
  readonly attack: number;
  readonly release: number;
}

/** A detector. {@linkcode createDetector} makes one. */
export interface Detector {
  /** The level in dB below full scale, over {@linkcode SPAN_DB}. */
  readonly output: AudioNode;
  /** Its parameters, which follow the values of its block. */
  readonly params: readonly ParamOf[];
}

/** Makes the table of a shaper: what it makes of x, from -1 to 1. */
export function table(points: number, value: (x: number) => number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: 2 * points + 1 }, (_, index) => value(index / points - 1));
}

/** Makes a node that does to each sample what a table says. */
export function createShaper({ context }: Stage, curve: Float32Array<ArrayBuffer>): WaveShaperNode {
  const node = context.createWaveShaper();
  node.curve = curve;
  return node;
}

const absolute = table(1, Math.abs);
const levelOf = table(
  LEVEL_POINTS,
  (x) => Math.max(-1, 20 * Math.log10(Math.max(1 / LEVEL_POINTS, x / MEAN_OF_SINE)) / SPAN_DB),
);

/** Makes a detector of what comes from a node, of both sides together. */
export function createDetector(
  stage: Stage,
  from: AudioNode,
  timesOf: (values: BlockValues) => Times,
): Detector {
  const { context } = stage;
  const params: ParamOf[] = [];
  const lowpass = (timeOf: (times: Times) => number) => {
    const node = context.createBiquadFilter();
    node.type = "lowpass";
    // Two equal poles: the fastest that does not pass the level on its way to it.
    node.Q.value = 20 * Math.log10(0.5);
    const highest = context.sampleRate / 8;
    params.push([
      node.frequency,
      (values) => Math.min(highest, 1000 / (Math.PI * timeOf(timesOf(values)))),
    ]);
    return node;
  };
  const rectified = createShaper(stage, absolute);
  // Both sides are one detector, so that the picture does not move.
  rectified.channelCount = 1;
  rectified.channelCountMode = "explicit";
  from.connect(rectified);
  const rising = lowpass(({ attack }) => attack);
  const falling = lowpass(({ release }) => release);
  rectified.connect(rising);
  rectified.connect(falling);
  // The higher of two is half of their sum, and of how far they are apart.
  const apart = createShaper(stage, absolute);
  const minus = stage.gain(-1);
  rising.connect(apart);
  falling.connect(minus).connect(apart);
  const higher = stage.gain(0.5);
  for (const node of [rising, falling, apart]) node.connect(higher);
  return { output: higher.connect(createShaper(stage, levelOf)), params };
}

/** Returns what reads the newest sample of a signal. */
export function createReading({ context }: Stage, from: AudioNode): () => number {
  const tap = context.createAnalyser();
  tap.fftSize = NEWEST_SAMPLES;
  const newest = new Float32Array(NEWEST_SAMPLES);
  from.connect(tap);
  return () => {
    tap.getFloatTimeDomainData(newest);
    return newest.at(-1)!;
  };
}
