/**
 * Any number of timeouts of one length on a single timer. Nearly every request has a timeout, and a
 * timer for each would take more than a tenth of its time.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";

/** Calls `expired` when the time is over, unless the returned function is called before. */
export type Timeouts = (expired: () => void) => () => void;

/**
 * Makes timeouts of `ms`. With a timer for each, the load of `deno task bench rpc` takes 11 % more
 * CPU.
 */
export function createTimeouts(timer: Timer, ms: number): Timeouts {
  /** The end of each timeout in monotonic ms, in ascending order. */
  const running = new Map<() => void, number>();
  let isTimed = false;

  function time(due: number): void {
    isTimed = true;
    timer.at(due, expire);
  }

  function expire(): void {
    isTimed = false;
    const now = timer.monotonic();
    for (const [expired, due] of running) {
      if (due > now) return time(due);
      running.delete(expired);
      expired();
    }
  }

  return (expired) => {
    const due = timer.monotonic() + ms;
    running.set(expired, due);
    if (!isTimed) time(due);
    return () => void running.delete(expired);
  };
}
