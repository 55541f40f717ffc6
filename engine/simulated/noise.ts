/**
 * Repeatable random numbers: the same seed and the same time make the same value.
 *
 * @module
 */

/** Returns a pseudorandom number, 0..1, for three whole numbers. */
export function chance(seed: number, stream: number, at: number): number {
  let hash = Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream, 0x85ebca6b) ^
    Math.imul(at | 0, 0xc2b2ae35);
  hash = Math.imul(hash ^ hash >>> 16, 0x7feb352d);
  hash = Math.imul(hash ^ hash >>> 15, 0x846ca68b);
  return ((hash ^ hash >>> 16) >>> 0) / 2 ** 32;
}

/**
 * Returns a number 0..1 that moves linearly from one such value to the next while `at` grows by 1.
 */
export function drift(seed: number, stream: number, at: number): number {
  const whole = Math.floor(at);
  const part = at - whole;
  const from = chance(seed, stream, whole);
  return from + (chance(seed, stream, whole + 1) - from) * part;
}
