/** Time that moves only when told, and wakes late when told: the scheduler's clock and timer. */
export interface SimulatedTime {
  readonly clock: { monotonic(): number };
  readonly timer: { monotonic(): number; at(due: number, wake: () => void): () => void };
  /** Every `due` that a wake-up was asked for, in order. */
  readonly asked: number[];
  /** How many wake-ups are pending. */
  pending(): number;
  /**
   * Moves on to `until` (ms), or past it by the last wake-up's lateness. Each wake-up that is due
   * on the way comes `lateness()` ms after its time; a negative lateness wakes early.
   */
  runTo(until: number, lateness?: () => number): void;
  /** Moves on without any wake-up, as when something holds the event loop. */
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
