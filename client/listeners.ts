/**
 * Those who are told when something happens.
 *
 * @module
 */

/** Is told of something. */
export type Listener<Told> = (told: Told) => void;

/** The listeners of one kind of thing. */
export interface Listeners<Told> {
  /** From now on `listener` is told; the answer ends that. */
  add(listener: Listener<Told>): () => void;
  tell(told: Told): void;
}

/** Makes listeners, of whom there are none at first. */
export function createListeners<Told>(): Listeners<Told> {
  const listeners = new Set<Listener<Told>>();
  return {
    add(listener) {
      if (typeof listener !== "function") throw new TypeError("expected a function to call");
      // A function of its own, so that who listens twice is told twice, and ends each alone.
      const own: Listener<Told> = (told) => listener(told);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell(told) {
      for (const listener of listeners) listener(told);
    },
  };
}
