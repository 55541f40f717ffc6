/**
 * The request limiter of the REST actions for one client (service.md, "Limits"; decisions.md, "Rate,
 * per client address"): a pure function of what the client did and the time.
 *
 * The first request opens a window of one second, in which up to `burst` requests are accepted. From
 * then on requests are refused until as many seconds have passed, counted from the window's start,
 * as requests were accepted in it; the next one opens a new window. So 1 request a second goes on
 * for ever, 5 at once wait 5 s, 10 at once wait 10 s, and an 11th in the window is refused. What is
 * refused leaves no trace: it does not prolong the lock.
 *
 * @module
 */

/** How much a client may ask for. */
export interface RateLimits {
  /** The most requests in one window, a whole number; 0 turns the limiter off, `perMinute` too. */
  readonly burst: number;
  /** How many accepted requests one second of waiting makes up for; over 0. */
  readonly perSecond: number;
  /** The most requests accepted in any 60 s, a whole number; 0 = no such limit. */
  readonly perMinute: number;
}

/** What the limiter remembers of a client. */
export interface History {
  /** When the window was opened, in whole ms. */
  readonly windowStart: number;
  /** How many requests were accepted in the window, 1 to `burst`. */
  readonly accepted: number;
  /** When the last `perMinute` accepted requests came, in whole ms, oldest first. */
  readonly lastMinute: readonly number[];
}

/** Whether a request goes through, and what to remember. */
export type Admission =
  | { readonly accepted: true; readonly history: History | undefined }
  | {
    readonly accepted: false;
    /** As it was: a refused request changes nothing. */
    readonly history: History;
    /** The fewest whole seconds (1 or more) after which a next request is accepted. */
    readonly retryAfter: number;
  };

const WINDOW_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * Whether a client with this history (`undefined`: none) may make a request at `now`, in monotonic
 * ms; a fraction of a ms is dropped.
 *
 * @example
 * ```ts
 * const limits = { burst: 10, perSecond: 1, perMinute: 0 };
 * const first = admit(undefined, 0, limits); // accepted
 * const second = admit(first.history, 500, limits); // accepted
 * const third = admit(second.history, 1200, limits); // refused, retryAfter 1: locked until 2000
 * ```
 */
export function admit(history: History | undefined, now: number, limits: RateLimits): Admission {
  if (limits.burst === 0) return { accepted: true, history };
  const at = Math.floor(now);
  if (history === undefined) return accept(at, 1, at, [], limits);

  const { windowStart, accepted, lastMinute } = history;
  const unlocked = lockEnd(history, limits);
  const minuteFree = minuteEnd(history, limits);
  if (at >= minuteFree) {
    if (at >= unlocked) return accept(at, 1, at, lastMinute, limits);
    if (at < windowStart + WINDOW_MS && accepted < limits.burst) {
      return accept(windowStart, accepted + 1, at, lastMinute, limits);
    }
  }
  // Whoever waits a whole second is past the window, so only the locks count.
  const retryAfter = Math.ceil((Math.max(unlocked, minuteFree) - at) / 1000);
  return { accepted: false, history, retryAfter };
}

/** Whether a client with this history is, at `now`, one that has no history: it can be forgotten. */
export function isSpent(history: History, now: number, limits: RateLimits): boolean {
  const last = history.lastMinute.at(-1) ?? -Infinity;
  const at = Math.floor(now);
  return at >= lockEnd(history, limits) && (limits.perMinute === 0 || at >= last + MINUTE_MS);
}

function accept(
  windowStart: number,
  accepted: number,
  at: number,
  before: readonly number[],
  { perMinute }: RateLimits,
): Admission {
  const lastMinute = perMinute === 0 ? [] : [...before, at].slice(-perMinute);
  return { accepted: true, history: { windowStart, accepted, lastMinute } };
}

/** When the next window can be opened, in ms. */
function lockEnd({ windowStart, accepted }: History, { perSecond }: RateLimits): number {
  return windowStart + Math.max(WINDOW_MS, Math.ceil(accepted * 1000 / perSecond));
}

/** When one request more leaves any 60 s with `perMinute` at most, in ms. */
function minuteEnd({ lastMinute }: History, { perMinute }: RateLimits): number {
  if (perMinute === 0) return -Infinity;
  const oldestThatCounts = lastMinute.at(-perMinute);
  return oldestThatCounts === undefined ? -Infinity : oldestThatCounts + MINUTE_MS;
}
