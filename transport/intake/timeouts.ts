/**
 * Timeouts of one length, as many as are wanted, on one timer. Nearly every request has one, and a
 * timer of its own would cost it more than a tenth of its time.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";

/** Calls `expired` when the time is over, unless the answer is called before. */
export type Timeouts = (expired: () => void) => () => void;

/** Timeouts of `ms`. What `deno task bench rpc` loads with a timer for each takes 11 % more CPU. */
export function createTimeouts(timer: Timer, ms: number): Timeouts {
  /** When each is over, in monotonic ms, and so in the order in which they are. */
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
