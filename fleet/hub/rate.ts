/**
 * A rate limit: the maximum number at once, and the average number per second.
 *
 * @module
 */

/** A rate limit. */
export interface Rate {
  /** Takes a number of units at a monotonic time in ms; says whether the rate allows them. */
  take(units: number, now: number): boolean;
}

/** Makes a rate limit of `most` units at once, which are refilled at `perSecond`. */
export function createRate(most: number, perSecond: number): Rate {
  let left = most;
  let at = -Infinity;
  return {
    take(units, now) {
      left = Math.min(most, left + Math.max(0, now - at) / 1000 * perSecond);
      at = now;
      if (units > left) return false;
      left -= units;
      return true;
    },
  };
}
