/**
 * The axis of a plot: the range of its values, and their places.
 *
 * @module
 */

import type { Decimal } from "../../texts/decimal.ts";

/** The level in dB at and below which nothing is heard. */
const SILENCE = -120;

/** An axis; `low`, `high` and `step` in its unit. */
export interface Axis {
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  /** Interval of the lines that have their value written. */
  readonly step: number;
  /** The target of the value, and its tolerance. */
  readonly target?: { readonly value: number; readonly tolerance: number };
}

/** Levels of full scale. */
export const levelAxis: Axis = { unit: "dBFS", low: -60, high: 0, step: 10 };

/**
 * Loudness, from hardly audible to far too loud, and the target of EBU R 128 with the tolerance of
 * live programmes.
 */
export const loudnessAxis: Axis = {
  unit: "LUFS",
  low: -50,
  high: -5,
  step: 5,
  target: { value: -23, tolerance: 1 },
};

/**
 * The place of a value: 0 at the low end, 1 at the high end; a value outside is at the nearer end.
 */
export function heightOf({ low, high }: Axis, value: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** The values that have a line, from low to high. */
export function linesOf({ low, high, step }: Axis): number[] {
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, at) => low + at * step);
}

/** The text of a value, `-12.3`; silence is minus infinity. */
export function reading(value: number | undefined, decimal: Decimal): string {
  if (value === undefined) return "–";
  return value <= SILENCE ? "−∞" : decimal(value, 1);
}
