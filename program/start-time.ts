/**
 * The time at which the process started, for its metrics.
 *
 * @module
 */
import type { Clock } from "../core/ports.ts";

/**
 * Minimum change in ms of the computed start that counts as a clock that was set. Less comes from
 * rounding and from small corrections of the clock: with each of them the process would seem to
 * have been restarted.
 */
const SET_MS = 10_000;

/**
 * Makes the function that returns the start of the process, in s since 1970. If the clock is
 * set after the start, as on a machine without a battery, the returned start moves with it; so it
 * does after a suspend, during which the monotonic clock stands still.
 */
export function createStartTime({ now, monotonic }: Clock): () => number {
  let startedAt = now() - monotonic();
  return () => {
    const computed = now() - monotonic();
    if (Math.abs(computed - startedAt) >= SET_MS) startedAt = computed;
    return startedAt / 1000;
  };
}
