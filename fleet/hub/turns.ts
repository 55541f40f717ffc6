/**
 * Turns: what is done under one name is done one after the other, in the order in which it was asked
 * for.
 *
 * @module
 */

/** The turns of all names. */
export interface Turns {
  /** Does the work when what was asked for before it under this name has ended, whatever came of that. */
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when what was asked for until now has ended. */
  settled(): Promise<void>;
}

/** Makes turns. */
export function createTurns(): Turns {
  /** The last work of each name that has not ended. */
  const underWay = new Map<string, Promise<unknown>>();
  return {
    take(name, work) {
      const before = underWay.get(name) ?? Promise.resolve();
      const made = before.catch(() => {}).then(work);
      underWay.set(name, made);
      const settle = () => {
        if (underWay.get(name) === made) underWay.delete(name);
      };
      made.then(settle, settle);
      return made;
    },
    async settled() {
      await Promise.allSettled(underWay.values());
    },
  };
}
