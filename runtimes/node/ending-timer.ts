/**
 * A timer that can be ended, so that nothing of a console that has stopped keeps a process alive.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";

/**
 * Makes a timer from another one; `end` cancels all of its wake-ups, and no later ones are made.
 */
export function endingTimer({ monotonic, at }: Timer): Timer & { end(): void } {
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
