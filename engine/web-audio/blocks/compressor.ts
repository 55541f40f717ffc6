/// <reference lib="dom" />
/**
 * The blocks that are a `DynamicsCompressorNode`: `compressor` and `limiter`. The node makes up for
 * what it takes away, by its own rule, which no mixing console has; a gain after it takes that
 * back.
 *
 * @module
 */
import { type Block, type BlockKind, type BlockValues, follow } from "./block.ts";
import type { Stage } from "../stage.ts";
import { fromDecibels } from "../../meters/decibels.ts";

/** The node takes no more than these (the standard, "DynamicsCompressorOptions"). */
const MOST = { thresholdDB: 0, ratio: 20, seconds: 1 } as const;
const LEAST_THRESHOLD_DB = -100;

/** Look-ahead of the node in s, which is also the delay of what passes it. */
export const LOOK_AHEAD = 0.006;

interface Curve {
  /** In dB. */
  readonly threshold: number;
  readonly ratio: number;
  /** In s. */
  readonly attack: number;
  readonly release: number;
  /** Make-up, in dB. */
  readonly gain: number;
}

/**
 * Answers by how many dB the node makes a signal louder of its own: 0.6 of what a signal of full
 * scale loses (the standard, "computing the makeup gain").
 */
function ownMakeup({ threshold, ratio }: Curve): number {
  return -0.6 * threshold * (1 - 1 / ratio);
}

function compressorNode(
  stage: Stage,
  values: BlockValues,
  curveOf: (values: BlockValues) => Curve,
): Block {
  const node = stage.context.createDynamicsCompressor();
  node.knee.value = 0;
  const makeup = stage.context.createGain();
  node.connect(makeup);
  const follows = follow(values, [
    [node.threshold, (values) => curveOf(values).threshold],
    [node.ratio, (values) => curveOf(values).ratio],
    [node.attack, (values) => curveOf(values).attack],
    [node.release, (values) => curveOf(values).release],
    [makeup.gain, (values) => {
      const curve = curveOf(values);
      return fromDecibels(curve.gain - ownMakeup(curve));
    }],
  ]);
  let curve = curveOf(values);
  return {
    input: node,
    output: makeup,
    update(values, when) {
      curve = curveOf(values);
      follows(values, when);
    },
    reduction() {
      const shown = node.reduction - (stage.makeupInReduction() ? ownMakeup(curve) : 0);
      return Math.max(0, -shown);
    },
  };
}

const threshold = (dB: number) => Math.min(MOST.thresholdDB, Math.max(LEAST_THRESHOLD_DB, dB));
const seconds = (ms: number) => Math.min(MOST.seconds, ms / 1000);

function compressorCurve(values: BlockValues): Curve {
  return {
    threshold: threshold(values.threshold as number),
    ratio: Math.min(MOST.ratio, values.ratio as number),
    attack: seconds(values.attack as number),
    release: seconds(values.release as number),
    gain: values.gain as number,
  };
}

function limiterCurve(values: BlockValues): Curve {
  return {
    threshold: threshold(values.threshold as number),
    ratio: MOST.ratio,
    attack: 0,
    release: seconds(values.release as number),
    gain: 0,
  };
}

/** `compressor`. */
export const compressor: BlockKind = {
  make: (stage, values) => compressorNode(stage, values, compressorCurve),
  // It begins without taking anything away. After six attacks, of 36 dB not even 0.5 are missing.
  settles: (values) => LOOK_AHEAD + 6 * seconds(values.attack as number),
};

/** `limiter`: a compressor of the steepest ratio that the standard has. */
export const limiter: BlockKind = {
  make: (stage, values) => compressorNode(stage, values, limiterCurve),
  settles: () => 2 * LOOK_AHEAD,
};
