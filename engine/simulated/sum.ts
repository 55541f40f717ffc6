/**
 * The sum of the signals of a mixer, as meters measure it: uncorrelated signals add up by their
 * power.
 *
 * @module
 */
import { toDecibels } from "../meters/decibels.ts";
import type { Signal } from "./sources.ts";
import type { Sides } from "./stereo.ts";

/** The measured signal of a sum. */
export interface Sum {
  /** The peak of each side, as an amplitude. */
  readonly peak: Sides;
  /** The amplitudes of the sines that have the power of each side. */
  readonly mean: Sides;
  /** The correlation of the two sides, -1..1; 0 in silence. */
  readonly correlation: number;
}

/** Adds signals up. */
export function sumOf(signals: readonly Signal[]): Sum {
  let peakLeft = 0;
  let peakRight = 0;
  let meanLeft = 0;
  let meanRight = 0;
  let both = 0;
  for (const { left, right, density, correlation } of signals) {
    peakLeft += left * left;
    peakRight += right * right;
    const power = density * density;
    meanLeft += left * left * power;
    meanRight += right * right * power;
    both += left * right * power * correlation;
  }
  const all = Math.sqrt(meanLeft * meanRight);
  return {
    peak: [Math.sqrt(peakLeft), Math.sqrt(peakRight)],
    mean: [Math.sqrt(meanLeft), Math.sqrt(meanRight)],
    correlation: all === 0 ? 0 : both / all,
  };
}

/** The sum of no signals. */
export const NOTHING: Sum = sumOf([]);

/** Returns the level of a sum, in dB. */
export function levelOf({ peak }: Sum): number {
  return toDecibels(Math.max(...peak));
}
