/**
 * Any number of timeouts of one length on a single timer, which sweeps over them once a second.
 * Nearly every request has a timeout; a timer and a look at the clock for each would take more than
 * a tenth of its time.
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";

/**
 * Calls `expired` when the time is over, up to a second late, unless the returned function is
 * called before, which returns whether it was in time.
 */
export type Timeouts = (expired: () => void) => () => boolean;

/** Interval in ms of the sweeps while any timeout runs. */
export const SWEEP_MS = 1000;

/** A timeout, with the sweeps that are left to it. */
interface Timeout {
  left: number;
  readonly expired: () => void;
}

/** Makes timeouts of `ms`. */
export function createTimeouts(timer: Timer, ms: number): Timeouts {
  const running = new Set<Timeout>();
  // A timeout may begin just before a sweep.
  const sweeps = Math.ceil(ms / SWEEP_MS) + 1;
  let isTimed = false;

  function sweep(): void {
    isTimed = false;
    for (const timeout of running) {
      if (--timeout.left > 0) continue;
      running.delete(timeout);
      timeout.expired();
    }
    if (running.size > 0) time();
  }

  function time(): void {
    if (!isTimed) after(timer, SWEEP_MS, sweep);
    isTimed = true;
  }

  return (expired) => {
    const timeout = { left: sweeps, expired };
    running.add(timeout);
    time();
    return () => running.delete(timeout);
  };
}
