/**
 * A fade has the ranges of the specification (service.md, "Limits": "`fadetovalue` duration 0..30
 * seconds, in steps of 0.020 s", "`fadetovalue` `value` -160..10 dB").
 *
 * @module
 */

/** Time between two steps of a fade, in seconds. */
export const FADE_STEP = 0.020;

/** Duration of the longest fade, in seconds. */
export const FADE_MAX = 30;

/** Lowest level of a fader in dB, which means off. */
export const FADER_MIN = -160;

/** Highest level of a fader in dB. */
export const FADER_MAX = 10;

/**
 * Stops a number that its caller should have refused or clamped: letting it pass would put a wrong
 * or NaN level on air.
 *
 * @throws {RangeError} naming the value and what was expected
 */
export function expectWithin(name: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) {
    throw new RangeError(`${name} is ${value}, expected ${min}..${max}`);
  }
}
