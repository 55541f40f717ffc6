/**
 * Gains and levels in dB.
 *
 * @module
 */
import { FADER_MIN } from "../fade/limits.ts";

/**
 * Answers the gain, by which a signal is multiplied, that stands for a level in dB. The lowest
 * level of a fader, -160 dB, and all below it are silence: 0.
 */
export function gainOf(dB: number): number {
  return dB <= FADER_MIN ? 0 : 10 ** (dB / 20);
}

/** Answers a factor in dB: of 1 it is 0. */
export function inDB(factor: number): number {
  return 20 * Math.log10(factor);
}
