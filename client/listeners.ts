/**
 * Functions that are called when something happens.
 *
 * @module
 */

/** A function that is called with each event. */
export type Listener<Told> = (told: Told) => void;

/** The listeners for one kind of event. */
export interface Listeners<Told> {
  /** Adds a listener; the returned function removes it. */
  add(listener: Listener<Told>): () => void;
  tell(told: Told): void;
}

/** Makes a list of listeners, empty at first. */
export function createListeners<Told>(): Listeners<Told> {
  const listeners = new Set<Listener<Told>>();
  return {
    add(listener) {
      if (typeof listener !== "function") throw new TypeError("expected a function to call");
      // A function of its own, so that a listener may be added twice, and removed once.
      const own: Listener<Told> = (told) => listener(told);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell(told) {
      for (const listener of listeners) callSafely(() => listener(told));
    },
  };
}

/**
 * Calls a function of the program. An error that it throws is thrown again later, uncaught, so that
 * the functions after it are called nevertheless.
 */
export function callSafely(action: () => void): void {
  try {
    action();
  } catch (fault) {
    queueMicrotask(() => {
      throw fault;
    });
  }
}
