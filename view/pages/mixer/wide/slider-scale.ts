/**
 * Where a value stands on its slider, and how it is written.
 *
 * @module
 */
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";

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

/** A value with its unit: `-20.0 dB`, `2.50 kHz`, `200 ms`. */
export function valueText(value: number, { step = 0.01, unit }: NumberLeaf): string {
  if (unit === "Hz" && value >= 1000) return `${(value / 1000).toFixed(2)} kHz`;
  return `${value.toFixed(digitsOf(step))}${unit === undefined ? "" : ` ${unit}`}`;
}

function digitsOf(step: number): number {
  return Math.max(0, Math.ceil(-Math.log10(step)));
}
