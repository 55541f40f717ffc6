/**
 * The request limiter of the REST actions for one client (service.md, "Limits"; decisions.md,
 * "Rate, per client address"): a pure function of what the client did and the time.
 *
 * The first request opens a window of one second, in which up to `burst` requests are accepted.
 * From then on requests are refused until as many seconds have passed, counted from the window's
 * start, as requests were accepted in it; the next one opens a new window. So 1 request a second
 * goes on for ever, 5 at once wait 5 s, 10 at once wait 10 s, and an 11th in the window is refused.
 * A refused request leaves no trace: it does not prolong the lock.
 *
 * A network delays one request more than the next. So the last 250 ms of a wait are forgiven in
 * time but not in count: a client that comes that early is accepted and owes the rest, and the
 * average stays the same. A window lasts a second all the same.
 *
 * @module
 */
import { REST_JITTER_MS } from "../../core/limits.ts";

/** The limits of the requests of a client. */
export interface RateLimits {
  /**
   * Maximum number of requests in one window, a whole number; 0 turns the limiter off, `perMinute`
   * too.
   */
  readonly burst: number;
  /** Number of accepted requests that one second of waiting makes up for; over 0. */
  readonly perSecond: number;
  /** Maximum number of requests accepted in any 60 s, a whole number; 0 for no such limit. */
  readonly perMinute: number;
}

/** The history of a client. */
export interface History {
  /** When the window was opened, in whole ms. */
  readonly windowStart: number;
  /** Number of requests that were accepted in the window, 1 to `burst`. */
  readonly accepted: number;
  /** Rest of the previous wait when the window was opened, 0 to 250 ms. */
  readonly owed: number;
  /** When the last `perMinute` accepted requests came, in whole ms, oldest first. */
  readonly lastMinute: readonly number[];
}

/** The decision on a request, and the history to remember. */
export type Admission =
  | { readonly accepted: true; readonly history: History | undefined }
  | {
    readonly accepted: false;
    /** The unchanged history: a refused request changes nothing. */
    readonly history: History;
    /** The fewest whole seconds (1 or more) after which the wait is over and nothing is owed. */
    readonly retryAfter: number;
  };

const WINDOW_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * Says whether a client with this history (`undefined`: none) may make a request at `now`, in
 * monotonic ms; a fraction of a ms is dropped.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const limits = { burst: 10, perSecond: 1, perMinute: 0 };
 * const first = admit(undefined, 0, limits);
 * const second = admit(first.history, 500, limits);
 * const third = admit(second.history, 1200, limits); // two requests lock it until 2000
 * assertEquals([first.accepted, second.accepted, third.accepted], [true, true, false]);
 * ```
 */
export function admit(history: History | undefined, now: number, limits: RateLimits): Admission {
  if (limits.burst === 0) return { accepted: true, history };
  const at = Math.floor(now);
  const fresh = { windowStart: at, accepted: 1, owed: 0, lastMinute: [] };
  if (history === undefined) return accept(fresh, at, limits);

  const { windowStart, accepted, lastMinute } = history;
  const paid = paidAt(history, limits);
  const minuteFree = minuteEnd(history, limits);
  if (at >= minuteFree) {
    const inWindow = at < windowStart + WINDOW_MS;
    if (inWindow && accepted < limits.burst) {
      return accept({ ...history, accepted: accepted + 1 }, at, limits);
    }
    if (!inWindow && at >= paid - REST_JITTER_MS) {
      return accept({ ...fresh, owed: Math.max(0, paid - at), lastMinute }, at, limits);
    }
  }
  // After a whole second the window is over, so only the waits count.
  const retryAfter = Math.max(1, Math.ceil((Math.max(paid, minuteFree) - at) / 1000));
  return { accepted: false, history, retryAfter };
}

/**
 * Says whether a client with this history is treated at `now` like a client without one, so that it
 * can be forgotten.
 */
export function isSpent(history: History, now: number, limits: RateLimits): boolean {
  const last = history.lastMinute.at(-1) ?? -Infinity;
  const at = Math.floor(now);
  const windowEnd = history.windowStart + WINDOW_MS;
  return at >= Math.max(windowEnd, paidAt(history, limits)) &&
    (limits.perMinute === 0 || at >= last + MINUTE_MS);
}

function accept(history: History, at: number, { perMinute }: RateLimits): Admission {
  const lastMinute = perMinute === 0 ? [] : [...history.lastMinute, at].slice(-perMinute);
  return { accepted: true, history: { ...history, lastMinute } };
}

/** Returns the time in ms at which the wait for all accepted requests is over. */
function paidAt({ windowStart, accepted, owed }: History, { perSecond }: RateLimits): number {
  return windowStart + owed + accepted * 1000 / perSecond;
}

/**
 * Returns the time in ms from which one more request keeps every 60 s within `perMinute` requests.
 */
function minuteEnd({ lastMinute }: History, { perMinute }: RateLimits): number {
  if (perMinute === 0) return -Infinity;
  const oldestThatCounts = lastMinute.at(-perMinute);
  return oldestThatCounts === undefined ? -Infinity : oldestThatCounts + MINUTE_MS;
}
