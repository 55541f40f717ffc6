/**
 * Maps the ticks of fades to the time of an audio context. They arrive with the jitter of a
 * network, and are played exactly 20 ms apart.
 *
 * @module
 */
import { FADE_STEP } from "../../fade/limits.ts";

/** Computes the times of ticks; made by {@linkcode createTickGrid}. */
export interface TickGrid {
  /**
   * Returns the time in s at which a tick is played: 20 ms after the previous tick. The first tick
   * is played 5 ms after `soonest`, so that ticks with up to 5 ms more delay are in time. A tick
   * that nevertheless comes too late, or would wait for longer than a tick, begins the grid again
   * like a first tick.
   */
  timeOf(tick: number, soonest: number): number;
}

/** Delay of the first tick in s, as a reserve for ticks with more delay. */
export const RESERVE_SECONDS = 0.005;

/** Makes a grid, which begins with the first tick. */
export function createTickGrid(): TickGrid {
  let origin: number | undefined;
  return {
    timeOf(tick, soonest) {
      const planned = origin === undefined ? -Infinity : origin + tick * FADE_STEP;
      if (planned >= soonest && planned <= soonest + FADE_STEP) return planned;
      const first = soonest + RESERVE_SECONDS;
      origin = first - tick * FADE_STEP;
      return first;
    },
  };
}
