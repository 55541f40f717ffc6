/**
 * How many of something there are by address: connections, or requests.
 *
 * @module
 */

/** Counts by address. */
export interface Counts {
  /** How many there are of an address. */
  of(address: string): number;
  /** One more has come from an address. */
  add(address: string): void;
  /** One that was added is gone. */
  remove(address: string): void;
}

/** Makes counts, all 0. An address takes memory only while there is something of it. */
export function createCounts(): Counts {
  const counts = new Map<string, number>();

  function of(address: string): number {
    return counts.get(address) ?? 0;
  }

  return {
    of,
    add: (address) => void counts.set(address, of(address) + 1),
    remove(address) {
      const others = of(address) - 1;
      if (others > 0) counts.set(address, others);
      else counts.delete(address);
    },
  };
}
