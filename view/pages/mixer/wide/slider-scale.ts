/**
 * Where a value stands on its slider.
 *
 * @module
 */
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import { digitsOf } from "../../../texts/decimal.ts";

/** Frequencies and times are heard by their ratios: their sliders are logarithmic. */
export function isCurved({ unit, min = 0, max = 0 }: NumberLeaf): boolean {
  return (unit === "Hz" || unit === "ms") && min > 0 && max / min > 10;
}

/** The place of a value, 0..1. */
export function placeOf(value: number, leaf: NumberLeaf): number {
  const { min = 0, max = 1 } = leaf;
  if (!isCurved(leaf)) return (value - min) / (max - min);
  return Math.log(value / min) / Math.log(max / min);
}

/** The value at a place, 0..1, beyond it at the end that is nearer, in whole steps. */
export function valueAt(place: number, leaf: NumberLeaf): number {
  const { min = 0, max = 1, step = 0.01 } = leaf;
  const part = Math.min(1, Math.max(0, place));
  const value = isCurved(leaf) ? min * (max / min) ** part : min + part * (max - min);
  const digits = digitsOf(step);
  return Math.min(max, Math.max(min, Number((Math.round(value / step) * step).toFixed(digits))));
}
