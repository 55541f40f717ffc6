/**
 * The ticks of fades on the time of an audio context. They come with the jitter of a network, and
 * are played 20 ms apart to the sample.
 *
 * @module
 */
import { FADE_STEP } from "../../fade/limits.ts";

/** Knows when ticks are played. {@linkcode createTickGrid} makes one. */
export interface TickGrid {
  /**
   * Returns when a tick is played: 20 ms after the one before it. The first is played 5 ms after
   * `soonest`, so that those which come up to 5 ms later than it are not late. Where one comes too
   * late all the same, or would wait for longer than a tick, it is as the first, and those after it
   * follow from there.
   */
  timeOf(tick: number, soonest: number): number;
}

/** The reserve of the first tick, in s, for those that come later than it. */
export const RESERVE_SECONDS = 0.005;

/** Makes a grid that follows the first tick that comes. */
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
