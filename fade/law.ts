/**
 * The fader law says which level, in dB, a fader has at which travel. Travel is the position of the
 * knob, 0 at the bottom and 1 at the top. A fade is "always fader-linear" (service.md,
 * `fadetovalue`), that is, its travel moves in equal steps, as if a hand moved the fader evenly.
 *
 * @module
 */
import { expectWithin, FADER_MAX, FADER_MIN } from "./limits.ts";

/** A point of the published table. */
export interface LawPoint {
  /** The level, in dB. */
  readonly dB: number;
  /** The travel, 0..1. */
  readonly travel: number;
}

/**
 * The published table goes from the top down. Between two points the law is a straight line. Each
 * line is steeper than the one above it: fine around 0 dB, where a fader is worked, coarse below
 * -60.
 */
export const lawPoints: readonly LawPoint[] = [
  { dB: FADER_MAX, travel: 1 },
  { dB: 0, travel: 0.75 },
  { dB: -10, travel: 0.53 },
  { dB: -20, travel: 0.36 },
  { dB: -30, travel: 0.24 },
  { dB: -40, travel: 0.15 },
  { dB: -60, travel: 0.05 },
  { dB: FADER_MIN, travel: 0 },
];

const lines = lawPoints.slice(1).map((low, index) => ({ low, high: lawPoints[index]! }));

/**
 * Returns the travel (0..1) at which a fader has a level.
 *
 * The travel never falls when `dB` rises, not even by the last bit, and is exact at every point of
 * the table.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(travelOf(10), 1);
 * assertEquals(travelOf(0), 0.75);
 * assertEquals(travelOf(-160), 0);
 * ```
 *
 * @param dB -160..10
 * @throws {RangeError} when `dB` is outside of that: clamping or refusing is the caller's decision,
 * and the specification has both (`set` clamps, `fadetovalue` refuses)
 */
export function travelOf(dB: number): number {
  expectWithin("dB", dB, FADER_MIN, FADER_MAX);
  for (const { low, high } of lines) {
    if (dB >= low.dB) return along(dB, low.dB, high.dB, low.travel, high.travel);
  }
  return 0;
}

/**
 * Returns the level, in dB (-160..10), that a fader has at a travel: the inverse of {@linkcode
 * travelOf}, to within 1e-9 both ways.
 *
 * @param travel 0..1
 * @throws {RangeError} when `travel` is outside of that
 */
export function dBOf(travel: number): number {
  expectWithin("travel", travel, 0, 1);
  for (const { low, high } of lines) {
    if (travel >= low.travel) return along(travel, low.travel, high.travel, low.dB, high.dB);
  }
  return FADER_MIN;
}

// Dividing first adds at most y1 - y0, never more by a rounding error, so two lines do not overlap
// where they meet.
function along(x: number, x0: number, x1: number, y0: number, y1: number): number {
  return y0 + (x - x0) / (x1 - x0) * (y1 - y0);
}
