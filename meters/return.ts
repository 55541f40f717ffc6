/**
 * How a peak meter returns: 20 dB in 1.7 s, evenly (IEC 60268-10, type I).
 *
 * @module
 */

/** So many dB it falls in a second. */
const RETURN_DB = 20 / 1.7;

/** An amplitude falls to this part of it in a second. */
const RETURN = 10 ** (-RETURN_DB / 20);

/** Answers the amplitude to which a meter has fallen from `shown`, but for the level that is. */
export function fallen(shown: number, level: number, seconds: number): number {
  return Math.max(level, shown * RETURN ** seconds);
}
