/**
 * Counts connections or requests by address.
 *
 * @module
 */

/** Counts by address. */
export interface Counts {
  /** Returns the count of an address. */
  of(address: string): number;
  /** Counts one more for an address. */
  add(address: string): void;
  /** Counts one less for an address. */
  remove(address: string): void;
}

/** Makes counts, all 0. An address takes memory only while its count is not 0. */
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
