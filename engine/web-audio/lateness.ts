/// <reference lib="dom" />
/**
 * Whether an engine renders as much sound as time passes.
 *
 * @module
 */

/** The length of the window that is looked at, in s. Sound is rendered in buffers of up to 100 ms. */
const WINDOW_SECONDS = 2;

/** An engine that has rendered a smaller share of the window than this is late. */
const KEEPS_UP = 0.95;

/**
 * Makes what says whether an engine is late, to be asked now and then.
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
