/**
 * A bounded memory of client addresses, or of users by their names, so that no number of addresses
 * fills the memory. Entries that matter least are forgotten first.
 *
 * @module
 */

import { ADDRESSES } from "./limits.ts";

/**
 * Maximum number of addresses that are examined to forget one, which bounds the cost of a request.
 */
const LOOKS = 16;

/** The history of each address; any string serves as an address. */
export interface Addresses<History> {
  get(address: string): History | undefined;
  /**
   * Remembers the history of an address. If the memory is full, forgets the first spent address
   * among the next 16, or the last of these 16 if none is spent. Spent means that its history no
   * longer makes a difference.
   */
  set(address: string, history: History, isSpent: (history: History) => boolean): void;
  /** Number of remembered addresses, at most `most`. */
  readonly size: number;
}

/**
 * Makes a memory of `most` addresses. An address whose history still matters is forgotten only if
 * the histories of 16 addresses in a row still matter, as when thousands of addresses attack at
 * once.
 */
export function createAddresses<History>(most: number = ADDRESSES): Addresses<History> {
  const histories = new Map<string, History>();
  // One iterator for good: a new one would walk over all deleted entries before the first entry.
  // Entries that it passes are deleted or moved to the end of the map, so it never ends.
  const oldest = histories.entries();

  function forgetOne(isSpent: (history: History) => boolean): void {
    let looks = 0;
    for (const [address, history] of oldest) {
      histories.delete(address);
      if (isSpent(history) || ++looks === LOOKS) return;
      histories.set(address, history);
    }
  }

  return {
    get: (address) => histories.get(address),
    set(address, history, isSpent) {
      if (!histories.has(address) && histories.size >= most) forgetOne(isSpent);
      histories.set(address, history);
    },
    get size() {
      return histories.size;
    },
  };
}
