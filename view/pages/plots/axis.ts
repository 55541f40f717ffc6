/**
 * The axis of a plot: which values it shows, and where.
 *
 * @module
 */

import type { Decimal } from "../../texts/decimal.ts";

/** From here down nothing is heard, in dB. */
const SILENCE = -120;

/** An axis; `low`, `high` and `step` in its unit. */
export interface Axis {
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  /** Interval of the lines that have their value written. */
  readonly step: number;
  /** What the value is to be, and by how much it may differ. */
  readonly target?: { readonly value: number; readonly tolerance: number };
}

/** Levels of full scale. */
export const levelAxis: Axis = { unit: "dBFS", low: -60, high: 0, step: 10 };

/**
 * Loudness, from what is hardly heard to what is far too loud, and the target of EBU R 128 with the
 * tolerance of live programmes.
 */
export const loudnessAxis: Axis = {
  unit: "LUFS",
  low: -50,
  high: -5,
  step: 5,
  target: { value: -23, tolerance: 1 },
};

/** Where a value is: 0 at the low end, 1 at the high one; what lies outside is at the end. */
export function heightOf({ low, high }: Axis, value: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** The values that have a line, from low to high. */
export function linesOf({ low, high, step }: Axis): number[] {
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, at) => low + at * step);
}

/** A value as people read it, `-12.3`; what is silent is an infinity below. */
export function reading(value: number | undefined, decimal: Decimal): string {
  if (value === undefined) return "–";
  return value <= SILENCE ? "−∞" : decimal(value, 1);
}
