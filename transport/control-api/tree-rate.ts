/**
 * The rate limit of requests of one client for the control tree over HTTP
 * (`limits.tree.perSecond`).
 *
 * @module
 */

/**
 * Says whether a client may make a request at `now`, in monotonic ms. `perSecond` is the maximum
 * number of requests in every second of the clock.
 */
export type TreeRate = (client: string, now: number, perSecond: number) => boolean;

const SECOND_MS = 1000;

/** Makes the rate limit, which counts the requests of each client. */
export function createTreeRate(): TreeRate {
  const counts = new Map<string, number>();
  let second = 0;
  return (client, now, perSecond) => {
    const current = Math.floor(now / SECOND_MS);
    if (current !== second) {
      second = current;
      counts.clear();
    }
    const count = (counts.get(client) ?? 0) + 1;
    counts.set(client, count);
    return count <= perSecond;
  };
}
