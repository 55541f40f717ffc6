/**
 * When work is due that is done at most once in an interval.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";

/** The pace of such work. */
export interface Pace {
  /** Returns the monotonic time, in ms, at which work that is asked for now is due. */
  next(): number;
  /** The work is begun. That it is a little late does not delay all that follows. */
  begun(): void;
}

/** Makes the pace of work that is done at most once in `interval` ms. */
export function createPace(timer: Timer, interval: number): Pace {
  let free = -Infinity;
  let planned = 0;
  return {
    next() {
      planned = Math.max(free, timer.monotonic());
      return planned;
    },
    begun() {
      free = Math.max(planned, timer.monotonic() - interval) + interval;
    },
  };
}
