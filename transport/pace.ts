/**
 * The pace of work that is done at most once in an interval.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";

/** Says when such work is due. */
export interface Pace {
  /** Returns the monotonic time, in ms, at which work requested now is due. */
  next(): number;
  /** Called when the work is begun. A small delay does not delay all later work. */
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
