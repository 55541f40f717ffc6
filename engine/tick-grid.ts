/**
 * The ticks of fades on the time of an audio context. They come with the jitter of a network, and
 * are played 20 ms apart to the sample.
 *
 * @module
 */
import { FADE_STEP } from "../fade/limits.ts";

/** Knows when ticks are played. {@linkcode createTickGrid} makes one. */
export interface TickGrid {
  /**
   * Answers when a tick is played: 20 ms after the one before it. Where it came too late for that,
   * it is played at `soonest`, and those after it follow from there; and so where it would wait for
   * longer than a tick.
   */
  timeOf(tick: number, soonest: number): number;
}

/** Makes a grid that follows the first tick that comes. */
export function createTickGrid(): TickGrid {
  let origin: number | undefined;
  return {
    timeOf(tick, soonest) {
      const planned = origin === undefined ? -Infinity : origin + tick * FADE_STEP;
      if (planned >= soonest && planned <= soonest + FADE_STEP) return planned;
      origin = soonest - tick * FADE_STEP;
      return soonest;
    },
  };
}
