/**
 * The interval of meters: as short as the network allows without a delay of changes. The page
 * measures round trips; if one takes longer than the network needs by itself, meters delay it.
 *
 * @module
 */

/** The possible intervals in ms; the first one is for a fast network. */
const INTERVALS = [40, 80, 160, 320, 640, 1280];

/** Index of the first interval: meters that come too often would delay the next measurement. */
const FIRST = 3;

/** Excess of a round trip over the shortest one, in ms, above which meters are slowed down. */
const LATE_MS = 200;

/** Number of steps by which they are slowed down at once, so that waiting messages can pass. */
const SLOWER = 2;

/**
 * Number of short round trips in a row after which meters are made faster. A trip is short if its
 * excess over the shortest one is less than `SHORT_PART` of the interval; a network that is nearly
 * full delays some.
 */
const SHORT_TRIPS = 3;
const SHORT_PART = 0.25;

/** The wait before meters may be faster, in ms; it doubles each time that they were too fast. */
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Growth of the shortest round trip at each measurement, in ms: a device may move to another
 * network.
 */
const FORGET_MS = 1;

/** The pace of meters. */
export interface Pace {
  /** The interval in ms. */
  readonly interval: number;
  /** Takes a round trip in ms, or the age of a round trip that is not over, at `now` in ms. */
  took(ms: number, now: number): void;
}

/** Makes a pace for an unknown network. */
export function createPace(): Pace {
  let at = FIRST;
  let shortest = Infinity;
  let shortTrips = 0;
  let fasterAt = 0;
  let wait = FIRST_WAIT_MS;
  return {
    get interval() {
      return INTERVALS[at]!;
    },
    took(ms, now) {
      shortest = Math.min(ms, shortest + FORGET_MS);
      const delay = ms - shortest;
      if (delay > LATE_MS) {
        at = Math.min(INTERVALS.length - 1, at + SLOWER);
        shortTrips = 0;
        fasterAt = now + wait;
        wait = Math.min(LONGEST_WAIT_MS, 2 * wait);
        return;
      }
      shortTrips = delay < INTERVALS[at]! * SHORT_PART ? shortTrips + 1 : 0;
      if (shortTrips < SHORT_TRIPS || now < fasterAt) return;
      shortTrips = 0;
      at = Math.max(0, at - 1);
    },
  };
}
