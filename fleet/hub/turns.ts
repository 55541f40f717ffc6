/**
 * A mutex for each name: the work of one name is done one after the other, in the order of the
 * requests.
 *
 * @module
 */

/** The turns of all names. */
export interface Turns {
  /** Does the work when all earlier work of this name has ended, whatever its outcome. */
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when all work that was requested until now has ended. */
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
