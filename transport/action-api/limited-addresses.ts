/**
 * The request limiter for all clients, by client address.
 *
 * @module
 */
import { createAddresses } from "../../core/addresses.ts";
import { ADDRESSES } from "../../core/limits.ts";
import { type Admission, admit, type History, isSpent, type RateLimits } from "./limiter.ts";

/** The limiter for all clients. */
export interface LimitedAddresses {
  /**
   * Whether `address` may make a request at `now` (monotonic ms). The answer depends on this
   * address's own requests alone. Any string serves as an address.
   */
  admit(address: string, now: number, limits: RateLimits): Admission;
  /** Number of remembered addresses, at most `most`. */
  readonly size: number;
}

/**
 * Makes a limiter that remembers `most` addresses. When one more comes, an idle one is forgotten:
 * the oldest whose lock is over.
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
  const histories = createAddresses<History>(most);
  return {
    admit(address, now, limits) {
      const admission = admit(histories.get(address), now, limits);
      if (admission.accepted && admission.history !== undefined) {
        histories.set(address, admission.history, (known) => isSpent(known, now, limits));
      }
      return admission;
    },
    get size() {
      return histories.size;
    },
  };
}
