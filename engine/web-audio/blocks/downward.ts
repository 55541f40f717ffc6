/// <reference lib="dom" />
/**
 * The blocks that attenuate quiet signals: `gate` and `expander`. The level of the signal is
 * converted to a gain, which drives the `gain` of a `GainNode`.
 *
 * ```
 * input ─┬───────────────────── × ── output
 *        └ detector ─ curve ────┘
 * ```
 *
 * @module
 */
import { type Block, type BlockKind, type BlockValues, follow, type ParamOf } from "./block.ts";
import { createDetector, createReading, createShaper, SPAN_DB, table } from "./detector.ts";
import type { Stage } from "../stage.ts";
import { fromDecibels } from "../../meters/decibels.ts";

/**
 * Number of points of a table of gains: few, so that the tables of many faders fit in the cache.
 */
const GAIN_POINTS = 512;

/** The ratio of the gate, which closes within 2 dB below its threshold. */
const GATE_RATIO = 40;

/** Maps the difference of the level to the threshold, negative below it, to a gain. */
const gainBelow = table(GAIN_POINTS, (x) => x >= 0 ? 1 : fromDecibels(x * SPAN_DB));

interface Curve {
  /** In dB. */
  readonly threshold: number;
  readonly ratio: number;
  /** In ms. */
  readonly attack: number;
  readonly release: number;
  /** Maximum attenuation in dB. */
  readonly most: number;
  /** Make-up gain in dB. */
  readonly gain: number;
}

function downward(
  stage: Stage,
  values: BlockValues,
  curveOf: (values: BlockValues) => Curve,
): Block {
  const { context } = stage;
  const input = stage.gain(1);
  const detector = createDetector(stage, input, curveOf);
  const params: ParamOf[] = [...detector.params];
  const gain = (valueOf: (curve: Curve) => number) => {
    const node = context.createGain();
    params.push([node.gain, (values) => valueOf(curveOf(values))]);
    return node;
  };

  const below = gain(({ ratio }) => ratio - 1);
  detector.output.connect(below);
  const offset = context.createConstantSource();
  params.push([offset.offset, (values) => {
    const { threshold, ratio } = curveOf(values);
    return -(ratio - 1) * threshold / SPAN_DB;
  }]);
  offset.start();
  const curve = createShaper(stage, gainBelow);
  below.connect(curve);
  offset.connect(curve);

  const controlled = stage.gain(0);
  params.push([controlled.gain, (values) => floorOf(curveOf(values))]);
  const moving = gain((curve) => 1 - floorOf(curve));
  curve.connect(moving).connect(controlled.gain);
  const makeup = gain(({ gain }) => fromDecibels(gain));
  input.connect(controlled).connect(makeup);

  const moved = createReading(stage, moving);
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
      const reduction = -20 * Math.log10(Math.max(1e-6, floor + moved()));
      return Math.max(0, reduction);
    },
    dispose() {
      offset.stop();
      moving.disconnect();
    },
  };
}

const floorOf = ({ most }: Curve) => most >= SPAN_DB ? 0 : fromDecibels(-most);

/** `gate`: attenuates signals below its threshold by `attenuation`. */
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

/** `expander`: each dB below its threshold becomes `ratio` dB below it. */
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
