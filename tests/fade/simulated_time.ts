/** Simulated time: a clock and a timer for the scheduler, with late wake-ups as the test says. */
export interface SimulatedTime {
  readonly clock: { monotonic(): number };
  readonly timer: { monotonic(): number; at(due: number, wake: () => void): () => void };
  /** The time of every requested wake-up, in ms, in order. */
  readonly asked: number[];
  /** Number of pending wake-ups. */
  pending(): number;
  /**
   * Moves on to `until` (ms), or past it by the last wake-up's lateness. Each wake-up that is due
   * on the way comes `lateness()` ms after its time; a negative lateness wakes early.
   */
  runTo(until: number, lateness?: () => number): void;
  /** Moves on without any wake-up, as when a long task blocks the event loop. */
  hold(ms: number): void;
}

export function simulatedTime(start = 0): SimulatedTime {
  let now = start;
  let waiting: { due: number; wake: () => void }[] = [];
  const asked: number[] = [];
  return {
    clock: { monotonic: () => now },
    timer: {
      monotonic: () => now,
      at(due, wake) {
        const entry = { due, wake };
        asked.push(due);
        waiting.push(entry);
        return () => {
          waiting = waiting.filter((other) => other !== entry);
        };
      },
    },
    asked,
    pending: () => waiting.length,
    runTo(until, lateness = () => 0) {
      for (;;) {
        const next = waiting.toSorted((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > until) break;
        waiting = waiting.filter((other) => other !== next);
        now = Math.max(now, next.due + lateness());
        next.wake();
      }
      now = Math.max(now, until);
    },
    hold(ms) {
      now += ms;
    },
  };
}
