/**
 * The request limiter's memory: what each client address did. It is bounded, so that no number of
 * addresses fills the memory; what makes room is what matters least.
 *
 * @module
 */
import { type Admission, admit, type History, isSpent, type RateLimits } from "./limiter.ts";

/** The most client addresses that are remembered. */
export const ADDRESSES = 10_000;

/** Addresses looked at, at most, for one to forget: it bounds the cost of a request. */
const LOOKS = 16;

/** The limiter for all clients. */
export interface LimitedAddresses {
  /**
   * Whether `address` may make a request at `now` (monotonic ms). The answer depends on this
   * address's own requests alone. Any string serves as an address.
   */
  admit(address: string, now: number, limits: RateLimits): Admission;
  /** How many addresses are remembered, at most `most`. */
  readonly size: number;
}

/**
 * Makes a limiter that remembers `most` addresses. When one more comes, an idle one is forgotten:
 * the oldest whose lock is over, which is as if it had never come. Only where 16 in a row are all
 * still locked, as when thousands of addresses attack at once, one that is locked has to go.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const clients = limitedAddresses();
 * const limits = { burst: 1, perSecond: 1, perMinute: 0 };
 * assertEquals(clients.admit("192.0.2.7", 0, limits).accepted, true);
 * assertEquals(clients.admit("192.0.2.7", 10, limits).accepted, false);
 * assertEquals(clients.admit("192.0.2.8", 10, limits).accepted, true);
 * ```
 */
export function limitedAddresses(most: number = ADDRESSES): LimitedAddresses {
  const histories = new Map<string, History>();
  // One iterator for good: a new one would walk over all that was deleted before the first entry.
  // What it passes is deleted or goes to the end of the map, so it never comes to an end itself.
  const oldest = histories.entries();

  function forgetOne(now: number, limits: RateLimits): void {
    let looks = 0;
    for (const [address, history] of oldest) {
      histories.delete(address);
      if (isSpent(history, now, limits) || ++looks === LOOKS) return;
      histories.set(address, history);
    }
  }

  return {
    admit(address, now, limits) {
      const known = histories.get(address);
      const admission = admit(known, now, limits);
      if (admission.accepted && admission.history !== undefined) {
        if (known === undefined && histories.size >= most) forgetOne(now, limits);
        histories.set(address, admission.history);
      }
      return admission;
    },
    get size() {
      return histories.size;
    },
  };
}
