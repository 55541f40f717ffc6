/**
 * How a peak meter returns: 20 dB in 1.7 s, evenly (IEC 60268-10, type I).
 *
 * @module
 */

/** The fall, in dB a second. */
const RETURN_DB = 20 / 1.7;

/** The fall as a factor of amplitude a second. */
const RETURN = 10 ** (-RETURN_DB / 20);

/** An amplitude below what any meter shows: -160 dB. */
const NOTHING = 1e-8;

/**
 * Returns the amplitude to which a meter falls from `shown` in some seconds: no lower than the
 * level that is.
 */
export function fallen(shown: number, level: number, seconds: number): number {
  if (shown <= Math.max(level, NOTHING)) return level;
  return Math.max(level, shown * RETURN ** seconds);
}
