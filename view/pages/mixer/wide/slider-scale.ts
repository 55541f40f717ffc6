/**
 * The place of a value on its slider, and the size of a step.
 *
 * @module
 */
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import { digitsOf } from "../../../texts/decimal.ts";

/** The size of a step of a value in dB; a fine step is a tenth of it. */
const STEP_DB = 1;

/** Number of fine steps in a step. */
const COARSE = 10;

/** The size of a fine step of a logarithmic slider, as a part of its travel. */
const FINE_TRAVEL = 0.001;

/** Frequencies, times, Q and ratios are heard by their ratios: their sliders are logarithmic. */
export function isCurved({ unit, step, min = 0, max = 0 }: NumberLeaf): boolean {
  const isChoice = unit === undefined && step === 1;
  return unit !== "dB" && !isChoice && min > 0 && max / min > 10;
}

/** The place of a value, 0..1. */
export function placeOf(value: number, leaf: NumberLeaf): number {
  const { min = 0, max = 1 } = leaf;
  if (!isCurved(leaf)) return (value - min) / (max - min);
  return Math.log(value / min) / Math.log(max / min);
}

/** The value at a place, 0..1, in whole steps; beyond 0..1 the value at the nearer end. */
export function valueAt(place: number, leaf: NumberLeaf): number {
  const { min = 0, max = 1 } = leaf;
  const part = Math.min(1, Math.max(0, place));
  return inSteps(isCurved(leaf) ? min * (max / min) ** part : min + part * (max - min), leaf);
}

/** The nearest value in whole steps that a leaf may hold. */
export function inSteps(value: number, { min = 0, max = 1, step = 0.01 }: NumberLeaf): number {
  // Never -0, which is written with a minus.
  const whole = Number((Math.round(value / step) * step).toFixed(digitsOf(step))) + 0;
  return Math.min(max, Math.max(min, whole));
}

/**
 * The value that lies some steps from another: 1 dB each for dB, for other units 10 times the step
 * of the leaf, or a hundredth of a logarithmic slider; a fine step is a tenth of that. A step is
 * never less than the step of the leaf. Infinite steps go to an end.
 */
export function stepped(value: number, steps: number, leaf: NumberLeaf, isFine: boolean): number {
  const { step = 0.01 } = leaf;
  const tenths = steps * (isFine ? 1 : COARSE);
  if (isCurved(leaf)) {
    const next = valueAt(placeOf(value, leaf) + tenths * FINE_TRAVEL, leaf);
    const least = inSteps(value + Math.sign(steps) * step, leaf);
    return steps > 0 ? Math.max(next, least) : Math.min(next, least);
  }
  const one = leaf.unit === "dB" ? Math.max(step, STEP_DB * (isFine ? 0.1 : 1)) : 0;
  return inSteps(value + (one === 0 ? tenths * step : steps * one), leaf);
}
