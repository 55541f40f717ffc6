import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  admit,
  type History,
  isSpent,
  type RateLimits,
} from "../../../transport/action-api/limiter.ts";

const published: RateLimits = { burst: 10, perSecond: 1, perMinute: 0 };

interface Outcome {
  readonly at: number;
  /** 0 for an accepted request; else the seconds of Retry-After. */
  readonly wait: number;
  readonly history: History | undefined;
}

/** The outcomes of requests at these times, in ms. */
function run(times: readonly number[], limits = published): Outcome[] {
  let history: History | undefined;
  return times.map((at) => {
    const admission = admit(history, at, limits);
    history = admission.history;
    return { at, wait: admission.accepted ? 0 : admission.retryAfter, history };
  });
}

const waits = (times: readonly number[], limits = published) =>
  run(times, limits).map(({ wait }) => wait);

const acceptedTimes = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ wait }) => wait === 0).map(({ at }) => at);

const times = (count: number, first: number, step: number) =>
  Array.from({ length: count }, (_, index) => first + index * step);

function mostWithin(span: number, sorted: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while (sorted[last]! - sorted[first]! >= span) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** Times of requests in ms, in order: bursts, pauses and all between, over some minutes. */
const anyTimes = fc.array(
  fc.oneof(
    fc.constantFrom(0, 1, 99, 100, 500, 999, 1000, 1001, 2000),
    fc.nat(3000),
    fc.nat(20_000),
  ),
  { minLength: 1, maxLength: 120, size: "max" },
).map((gaps) => {
  let at = 12_345;
  return gaps.map((gap) => at += gap);
});

const anyLimits: fc.Arbitrary<RateLimits> = fc.record({
  burst: fc.integer({ min: 1, max: 12 }),
  perSecond: fc.constantFrom(0.1, 0.3, 0.5, 1, 2, 3, 7, 100),
  perMinute: fc.constantFrom(0, 1, 2, 10, 30),
});

Deno.test("window, burst and wait are as in the specification", () => {
  const none = (count: number): number[] => Array(count).fill(0);
  const strict = { ...published, burst: 1 };
  const off = { ...published, burst: 0, perMinute: 1 };
  const fast = { ...published, perSecond: 5 };
  const slow = { ...published, perSecond: 0.5 };
  const ten = { ...published, perMinute: 10 };
  const two = { ...published, perMinute: 2 };
  const table: readonly (readonly [string, readonly number[], readonly number[], RateLimits?])[] = [
    ["1 request a second is always accepted", times(100, 0, 1000), none(100)],
    ["5 at once wait 5 s", [0, 0, 0, 0, 0, 1000, 4749, 5000], [0, 0, 0, 0, 0, 4, 1, 0]],
    ["10 at once wait 10 s", [...times(10, 0, 0), 1000, 9749, 10_000], [...none(10), 9, 1, 0]],
    ["an 11th in the window is refused", times(11, 0, 50), [...none(10), 10]],
    ["the window is a second long", [0, 999, 1000, 1749, 2000], [0, 0, 1, 1, 0]],
    ["the wait counts from the window's start", [0, 900, 999, 1000, 3000], [0, 0, 0, 2, 0]],
    [
      "a refusal does not prolong the lock",
      [0, 0, 0, ...times(20, 1000, 90), 3000],
      [0, 0, 0, ...Array(12).fill(2), ...Array(8).fill(1), 0],
    ],
    ["a wait is in whole seconds", [0, 0, 0, 1001, 1999, 2000, 2001], [0, 0, 0, 2, 2, 1, 1]],
    ["the last 250 ms of a wait are forgiven in time", [0, 0, 0, 2749, 2750], [0, 0, 0, 1, 0]],
    [
      "what was forgiven is waited for the next time",
      [0, 0, 0, 2750, 2750, 3999, 4000, 4749, 4750],
      [0, 0, 0, 0, 0, 2, 1, 1, 0],
    ],
    ["after the wait a burst is free", [0, 0, ...times(11, 2000, 10)], [0, 0, ...none(10), 10]],
    ["parts of a ms are dropped", [0.9, 0.9, 2000.1], [0, 0, 0]],
    ["burst 1 is strict", [0, 500, 999, 1000], [0, 1, 1, 0], strict],
    ["burst 0 turns all of it off", times(50, 0, 0), none(50), off],
    [
      "perSecond 5 makes up for 5 requests a second",
      [...times(10, 0, 0), 1000, 1749, 2000],
      [...none(10), 1, 1, 0],
      fast,
    ],
    [
      "perSecond 0.5 makes up for one in 2 s",
      [0, 1000, 2000, 2000, 3000, 6000],
      [0, 1, 0, 0, 3, 0],
      slow,
    ],
    [
      "perMinute 10: the 11th in a minute is refused",
      [...times(11, 0, 1000), 59_999, 60_000, 60_500],
      [...none(10), 50, 1, 0, 1],
      ten,
    ],
    ["perMinute inside a window", [0, 0, 0, 2999, 3000], [0, 0, 60, 58, 57], two],
    [
      "a window lasts a second, also with a shorter wait",
      [0, 500, 600, 1000],
      [0, 0, 1, 0],
      { burst: 2, perSecond: 100, perMinute: 0 },
    ],
  ];
  for (const [what, times, expected, limits] of table) {
    assertEquals(waits(times, limits), expected, what);
  }
});

Deno.test("in the second after the opening of a window at most burst requests are accepted", () => {
  fc.assert(fc.property(anyTimes, anyLimits, (times, limits) => {
    const accepted = run(times, limits).filter(({ wait }) => wait === 0);
    for (const start of new Set(accepted.map(({ history }) => history!.windowStart))) {
      const within = accepted.filter(({ at }) => at >= start && at < start + 1000);
      assert(within.length <= limits.burst, `${within.length} from ${start} on`);
    }
  }));
});

Deno.test("beyond its bursts a client gets at most perSecond requests a second, and 250 ms of one", () => {
  fc.assert(fc.property(anyTimes, anyLimits, (times, limits) => {
    const accepted = acceptedTimes(run(times, limits));
    for (const [before, at] of accepted.entries()) {
      const earned = (at - accepted[0]! + 250) / 1000 * limits.perSecond;
      assert(
        before + 1 <= earned + limits.burst + 1e-9,
        `${before + 1} in ${at - accepted[0]!} ms`,
      );
    }
  }));
});

Deno.test("a client that sends once a second, up to 120 ms early or late, is never refused", () => {
  const jitters = fc.array(fc.integer({ min: -120, max: 120 }), {
    minLength: 2,
    maxLength: 600,
    size: "max",
  });
  fc.assert(fc.property(jitters, fc.constantFrom(0.5, 1, 2, 3, 5), (jitters, perSecond) => {
    const times = jitters.map((jitter, tick) => 1e6 + tick * 1000 / perSecond + jitter)
      .sort((left, right) => left - right);
    assertEquals(waits(times, { ...published, perSecond }), times.map(() => 0));
  }));
});

Deno.test("a client whose every request is too early is refused at some time", () => {
  for (const step of [999, 990, 950, 900, 800]) {
    assert(waits(times(300, 0, step)).some((wait) => wait > 0), `every ${step} ms`);
  }
});

Deno.test("a refused request has no effect: it never prolongs a lock", () => {
  fc.assert(fc.property(anyTimes, anyLimits, (times, limits) => {
    const outcomes = run(times, limits);
    const accepted = acceptedTimes(outcomes);
    const alone = run(accepted, limits);
    assertEquals(acceptedTimes(alone), accepted);
    assertEquals(alone.at(-1)?.history, outcomes.at(-1)?.history);
  }));
});

Deno.test("Retry-After is exact: after its seconds nothing is owed, a second earlier something is", () => {
  const offsets = fc.double({ min: 0, max: 0.999, noNaN: true });
  fc.assert(fc.property(anyTimes, anyLimits, offsets, (times, limits, offset) => {
    for (const { at, wait, history } of run(times.map((time) => time + offset), limits)) {
      if (wait === 0) continue;
      assert(Number.isInteger(wait) && wait >= 1, `${wait}`);
      const after = admit(history, at + wait * 1000, limits);
      assert(after.accepted && after.history?.owed === 0, `after ${wait} s`);
      const before = admit(history, at + (wait - 1) * 1000, limits);
      assert(wait === 1 || !before.accepted || before.history!.owed > 0, `${wait - 1} s`);
    }
  }));
});

Deno.test("with perMinute at most that number of requests of a client is accepted in any 60 s", () => {
  const perMinute = fc.constantFrom(1, 2, 10, 30);
  fc.assert(fc.property(anyTimes, perMinute, (times, perMinute) => {
    const accepted = acceptedTimes(run(times, { ...published, perMinute }));
    assert(mostWithin(60_000, accepted) <= perMinute);
  }));
});

Deno.test("a spent history has the same effect as none", () => {
  fc.assert(fc.property(anyTimes, anyLimits, fc.nat(70_000), (times, limits, later) => {
    const { at, history } = run(times, limits).at(-1)!;
    const now = at + later;
    if (!isSpent(history!, now, limits)) return;
    const [known, unknown] = [history, undefined].map((start) => {
      let past = start;
      return [0, 10, 20, 500, 999, 1000, 1500, 61_000].map((gap) => {
        const admission = admit(past, now + gap, limits);
        past = admission.history;
        return admission.accepted ? 0 : admission.retryAfter;
      });
    });
    assertEquals(known, unknown);
  }));
  const [burst] = run([0, 0, 0]).slice(-1);
  assert(!isSpent(burst!.history!, 2999, published));
  assert(isSpent(burst!.history!, 3000, published));
});
