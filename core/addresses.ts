/**
 * What is remembered of client addresses, or of users by their names. It is bounded, so that no
 * number of addresses fills the memory; what makes room is what matters least.
 *
 * @module
 */

import { ADDRESSES } from "./limits.ts";

/** Addresses looked at, at most, for one to forget: it bounds the cost of a request. */
const LOOKS = 16;

/** What is remembered of each address; any string serves as one. */
export interface Addresses<History> {
  get(address: string): History | undefined;
  /**
   * Remembers what there is to know of an address now. Where that makes one too many, the oldest
   * of which `isSpent` is true is forgotten: one that is as if it had never come.
   */
  set(address: string, history: History, isSpent: (history: History) => boolean): void;
  /** How many addresses are remembered, at most `most`. */
  readonly size: number;
}

/**
 * Makes a memory of `most` addresses. Only where 16 in a row are all still to be remembered, as
 * when thousands of addresses attack at once, one of those has to go.
 */
export function createAddresses<History>(most: number = ADDRESSES): Addresses<History> {
  const histories = new Map<string, History>();
  // One iterator for good: a new one would walk over all that was deleted before the first entry.
  // What it passes is deleted or goes to the end of the map, so it never comes to an end itself.
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
