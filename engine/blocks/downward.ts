/// <reference lib="dom" />
/**
 * The blocks that take away what is quiet: `gate` and `expander`. The standard has no node for
 * that, and an `AudioWorklet` outside of browsers costs a change of threads for each 128 samples of
 * each channel. So these are made of nodes that every implementation runs natively: the level of
 * the signal is made a gain, and that drives the `gain` of a `GainNode`.
 *
 * ```
 * input ─┬──────────────────────────────────────────────── × ── output
 *        └ |x| ─┬ lowpass, attack ──┬ higher ─ dB ─ curve ─┘
 *               └ lowpass, release ─┘
 * ```
 *
 * All numbers are those of a sine's peak, as with the compressor of the standard. Attack and
 * release are the time constants of the lowpasses.
 *
 * @module
 */
import { type Block, type BlockKind, type BlockValues, follow, type ParamOf } from "./block.ts";
import type { Stage } from "../stage.ts";
import { gainOf } from "../decibels.ts";

/** Levels and reductions are carried by a signal as dB over this, so that they stay in -1..1. */
const SPAN_DB = 100;

/** A table of levels has so many points on each side of 0; the quietest that it tells is -68 dB. */
const LEVEL_POINTS = 4096;

/** Points of a table of gains: few, so that the tables of many faders stay in the cache. */
const GAIN_POINTS = 512;

/** The mean of a rectified sine, over its peak. */
const MEAN_OF_SINE = 2 / Math.PI;

/** What it takes off is read as it is now; an analyser keeps no fewer samples. */
const NEWEST_SAMPLES = 32;

/** The steepest ratio, which makes an expander a gate: within 2 dB it is closed. */
const GATE_RATIO = 40;

function table(points: number, value: (x: number) => number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: 2 * points + 1 }, (_, index) => value(index / points - 1));
}

const absolute = table(1, Math.abs);
const levelOf = table(
  LEVEL_POINTS,
  (x) => Math.max(-1, 20 * Math.log10(Math.max(1 / LEVEL_POINTS, x / MEAN_OF_SINE)) / SPAN_DB),
);
/** From how far a level is below the threshold, as a negative number, to the gain. */
const gainBelow = table(GAIN_POINTS, (x) => x >= 0 ? 1 : gainOf(x * SPAN_DB));

interface Curve {
  /** In dB. */
  readonly threshold: number;
  readonly ratio: number;
  /** In ms. */
  readonly attack: number;
  readonly release: number;
  /** What it takes away at most, in dB. */
  readonly most: number;
  /** Make-up, in dB. */
  readonly gain: number;
}

function downward(
  stage: Stage,
  values: BlockValues,
  curveOf: (values: BlockValues) => Curve,
): Block {
  const { context } = stage;
  const params: ParamOf[] = [];
  const shaper = (curve: Float32Array<ArrayBuffer>) => {
    const node = context.createWaveShaper();
    node.curve = curve;
    return node;
  };
  const gain = (valueOf: (curve: Curve) => number) => {
    const node = context.createGain();
    params.push([node.gain, (values) => valueOf(curveOf(values))]);
    return node;
  };
  const lowpass = (timeOf: (curve: Curve) => number) => {
    const node = context.createBiquadFilter();
    node.type = "lowpass";
    // Two equal poles: the fastest that does not pass the level on its way to it.
    node.Q.value = 20 * Math.log10(0.5);
    const highest = context.sampleRate / 8;
    params.push([
      node.frequency,
      (values) => Math.min(highest, 1000 / (Math.PI * timeOf(curveOf(values)))),
    ]);
    return node;
  };

  const input = stage.gain(1);
  const rectified = shaper(absolute);
  // Both sides are one detector, so that the picture does not move.
  rectified.channelCount = 1;
  rectified.channelCountMode = "explicit";
  input.connect(rectified);
  const rising = lowpass(({ attack }) => attack);
  const falling = lowpass(({ release }) => release);
  rectified.connect(rising);
  rectified.connect(falling);
  // The higher of two is half of their sum, and of how far they are apart.
  const apart = shaper(absolute);
  const minus = stage.gain(-1);
  rising.connect(apart);
  falling.connect(minus).connect(apart);
  const higher = stage.gain(0.5);
  for (const node of [rising, falling, apart]) node.connect(higher);

  const below = gain(({ ratio }) => ratio - 1);
  higher.connect(shaper(levelOf)).connect(below);
  const offset = context.createConstantSource();
  params.push([offset.offset, (values) => {
    const { threshold, ratio } = curveOf(values);
    return -(ratio - 1) * threshold / SPAN_DB;
  }]);
  offset.start();
  const curve = shaper(gainBelow);
  below.connect(curve);
  offset.connect(curve);

  const controlled = stage.gain(0);
  params.push([controlled.gain, (values) => floorOf(curveOf(values))]);
  const moving = gain((curve) => 1 - floorOf(curve));
  curve.connect(moving).connect(controlled.gain);
  const makeup = gain(({ gain }) => gainOf(gain));
  input.connect(controlled).connect(makeup);

  const tap = context.createAnalyser();
  tap.fftSize = NEWEST_SAMPLES;
  const newest = new Float32Array(NEWEST_SAMPLES);
  moving.connect(tap);
  let floor = floorOf(curveOf(values));
  const followed = follow(values, params);
  return {
    input,
    output: makeup,
    update(values, when) {
      floor = floorOf(curveOf(values));
      followed(values, when);
    },
    reduction() {
      tap.getFloatTimeDomainData(newest);
      const reduction = -20 * Math.log10(Math.max(1e-6, floor + newest.at(-1)!));
      return Math.max(0, reduction);
    },
    dispose() {
      offset.stop();
      moving.disconnect();
    },
  };
}

const floorOf = ({ most }: Curve) => most >= SPAN_DB ? 0 : gainOf(-most);

/** `gate`: what is below its threshold is `attenuation` quieter. */
export const gate: BlockKind = {
  make: (stage, values) =>
    downward(stage, values, (values) => ({
      threshold: values.threshold as number,
      ratio: GATE_RATIO,
      attack: values.attack as number,
      release: values.release as number,
      most: values.attenuation as number,
      gain: 0,
    })),
  settles: (values) => 4 * (values.attack as number) / 1000,
};

/**
 * `expander`: each dB below its threshold becomes `ratio` dB.
 */
export const expander: BlockKind = {
  make: (stage, values) =>
    downward(stage, values, (values) => ({
      threshold: values.threshold as number,
      ratio: values.ratio as number,
      attack: values.attack as number,
      release: values.release as number,
      most: SPAN_DB,
      gain: values.gain as number,
    })),
  settles: (values) => 4 * (values.attack as number) / 1000,
};
