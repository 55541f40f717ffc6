/**
 * The return of a peak meter: 20 dB in 1.7 s, linear in dB (IEC 60268-10, type I).
 *
 * @module
 */

/** The rate of the return in dB per second. */
const RETURN_DB = 20 / 1.7;

/** The rate of the return as a factor of amplitude per second. */
const RETURN = 10 ** (-RETURN_DB / 20);

/** An amplitude below the range of every meter: -160 dB. */
export const NOTHING = 1e-8;

/**
 * Returns the amplitude to which a meter falls from `shown` in a time in s, but not below the
 * present level.
 */
export function fallen(shown: number, level: number, seconds: number): number {
  if (shown <= Math.max(level, NOTHING)) return level;
  return Math.max(level, shown * RETURN ** seconds);
}
