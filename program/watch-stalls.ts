/**
 * How long the event loop is held up, for metrics.
 *
 * @module
 */
import { after, type Timer } from "../core/ports.ts";

/** How often it is looked, and from when on a late look is a stall, in ms. */
const LOOK_MS = 100;
const STALL_MS = 20;

/** Tells of each stall, in seconds, from now on. */
export function watchStalls(timer: Timer, stalled: (seconds: number) => void): void {
  let due = timer.monotonic() + LOOK_MS;
  after(timer, LOOK_MS, look);

  function look(): void {
    const now = timer.monotonic();
    if (now - due > STALL_MS) stalled((now - due) / 1000);
    due = now + LOOK_MS;
    after(timer, LOOK_MS, look);
  }
}
