/// <reference lib="dom" />
/**
 * Measures whether an engine renders in real time.
 *
 * @module
 */

/** Length of the examined window in s. Sound is rendered in buffers of up to 100 ms. */
const WINDOW_SECONDS = 2;

/** Minimum ratio of rendered time to elapsed time in the window; below it the engine is late. */
const KEEPS_UP = 0.95;

/**
 * Makes a function, to be called repeatedly, that says whether an engine is late.
 *
 * @param now monotonic time, in ms
 */
export function createLateness(
  context: Pick<BaseAudioContext, "currentTime">,
  now: () => number,
): () => boolean {
  let isLate = false;
  let began: { readonly at: number; readonly rendered: number } | undefined;
  return () => {
    const at = now() / 1000;
    const rendered = context.currentTime;
    began ??= { at, rendered };
    const seconds = at - began.at;
    if (seconds < WINDOW_SECONDS) return isLate;
    isLate = rendered - began.rendered < KEEPS_UP * seconds;
    began = { at, rendered };
    return isLate;
  };
}
