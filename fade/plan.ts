/**
 * The plan of one fade says which level the fader has at each step, and when that step is due.
 * Nothing here moves or waits; `scheduler.ts` does.
 *
 * @module
 */
import { dBOf, travelOf } from "./law.ts";
import { expectWithin, FADE_MAX, FADE_STEP, FADER_MAX, FADER_MIN } from "./limits.ts";

/** Time between two steps of a fade, in ms. */
export const STEP_MS = FADE_STEP * 1000;

/** The complete plan of a fade. {@linkcode planFade} makes one. */
export interface Plan {
  /** The level before the fade, in dB. */
  readonly from: number;
  /** The level at its end, in dB. */
  readonly to: number;
  /** When step 0 is due, in monotonic ms. */
  readonly start: number;
  /** The number of the last step; 0 if the fade sets the level at once. */
  readonly steps: number;
  /** The travel of `from`, 0..1. */
  readonly fromTravel: number;
  /** The travel of `to`, 0..1. */
  readonly toTravel: number;
}

/** Returns the number of steps of a fade of a duration in s; 0 if it sets the level at once. */
export function stepsOf(seconds: number): number {
  return Math.round(seconds / FADE_STEP);
}

/**
 * Plans a fade. Its duration is rounded to the nearest {@linkcode FADE_STEP} (decisions.md,
 * `fadetovalue`).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const plan = planFade(-160, 0, 1000, 3);
 * assertEquals(plan.steps, 150);
 * assertEquals(levelAt(plan, 0), -160);
 * assertEquals(levelAt(plan, 150), 0);
 * assertEquals(stepAt(plan, 4000), 150);
 * ```
 *
 * @param from level before the fade, -160..10 dB
 * @param to level at its end, -160..10 dB
 * @param start when step 0 is due, in monotonic ms
 * @param seconds duration, 0..30 s
 * @throws {RangeError} when a value is outside its range: the caller refuses those (error 3)
 */
export function planFade(from: number, to: number, start: number, seconds: number): Plan {
  expectWithin("from", from, FADER_MIN, FADER_MAX);
  expectWithin("to", to, FADER_MIN, FADER_MAX);
  expectWithin("seconds", seconds, 0, FADE_MAX);
  return {
    from,
    to,
    start,
    steps: stepsOf(seconds),
    fromTravel: travelOf(from),
    toTravel: travelOf(to),
  };
}

/**
 * Returns the level, in dB, at step `k`. Step 0 is `from`; the last step and any later one are
 * `to`, exactly. In between the travel moves in equal steps, and the level never turns back.
 *
 * @param k a whole number; below 0 (before the fade) the level is `from`
 */
export function levelAt(plan: Plan, k: number): number {
  const { from, to, steps, fromTravel, toTravel } = plan;
  if (k >= steps) return to;
  if (k <= 0) return from;
  const dB = dBOf(fromTravel + (toTravel - fromTravel) * (k / steps));
  // Converting to travel and back rounds. Without this, a step could pass the target by the last
  // bit.
  return from < to ? Math.max(from, Math.min(to, dB)) : Math.max(to, Math.min(from, dB));
}

/**
 * Returns the step that is due at `time`: the latest whose due time has come, at most the last one;
 * below 0 before the start. It is exact where `start` is a whole number of ms.
 *
 * @param time monotonic ms
 */
export function stepAt(plan: Plan, time: number): number {
  return Math.min(plan.steps, Math.floor((time - plan.start) / STEP_MS));
}
