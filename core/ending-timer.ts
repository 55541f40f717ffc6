/**
 * A timer that can be ended, so that nothing of a console that has stopped keeps a process alive.
 *
 * @module
 */
import type { Timer } from "./ports.ts";

/** A timer that its owner ends together with the console that it wakes. */
export interface EndingTimer extends Timer {
  /** Cancels all wake-ups; later ones are never made. */
  end(): void;
}

/** Makes a timer that can be ended from another one. */
export function createEndingTimer({ monotonic, at }: Timer): EndingTimer {
  const pending = new Set<() => void>();
  let ended = false;
  return {
    monotonic,
    at(due, wake) {
      if (ended) return () => {};
      const stop = at(due, () => {
        pending.delete(cancel);
        wake();
      });
      const cancel = () => {
        pending.delete(cancel);
        stop();
      };
      pending.add(cancel);
      return cancel;
    },
    end() {
      ended = true;
      for (const cancel of pending) cancel();
    },
  };
}
