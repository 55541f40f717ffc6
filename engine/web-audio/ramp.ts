/// <reference lib="dom" />
/**
 * Moves a parameter of an audio node without a click: from where it is at a time, in so many
 * seconds, to a new value. A way that is not over yet is left at that time, and the new one starts
 * from where it was left, which the standard's own `cancelAndHoldAtTime` would do if every browser
 * had it.
 *
 * @module
 */
import { dBOf, lawPoints, travelOf } from "../../fade/law.ts";
import { fromDecibels } from "../meters/decibels.ts";

/**
 * A scale says which value a parameter has at a position. A ramp moves the position evenly: the
 * travel of a fader, or the value itself.
 */
export interface Scale {
  value(position: number): number;
  /** The positions between which the parameter goes by one curve. */
  readonly knees: readonly number[];
  /** How it goes from one knee to the next. */
  readonly curve: "linear" | "exponential";
}

/** The value itself moves evenly. */
export const evenly: Scale = { value: (position) => position, knees: [], curve: "linear" };

/**
 * The travel of a fader moves evenly (`fade/law.ts`). Between two points of the law its dB do, so
 * that the gain goes exponentially, and every sample has the level of the law.
 */
export const byLaw: Scale = {
  value: (travel) => fromDecibels(dBOf(travel)),
  knees: lawPoints.map(({ travel }) => travel),
  curve: "exponential",
};

/** Returns the position of a fader's level, -160..10 dB, on the scale {@linkcode byLaw}. */
export const faderPosition = travelOf;

/** An exponential way never reaches 0. It starts and ends here, at -160 dB, one step from it. */
const FLOOR = 1e-8;

/** The number of past ways that are kept, to answer where the parameter is now. */
const KEPT_WAYS = 3;

/** A ramp moves one parameter. {@linkcode createRamp} makes one. */
export interface Ramp {
  /**
   * Moves to a position. It does nothing where the parameter is there or on its way there.
   *
   * @param when the time of the context at which it starts; not before now
   * @param seconds how long it takes; 0 sets at once
   */
  to(position: number, when: number, seconds: number): void;
  /** Returns where the parameter is going or stands. */
  readonly target: number;
  /** Returns where the parameter is at a time. */
  positionAt(when: number): number;
}

/** Puts a parameter at a position of a scale, and answers what moves it from now on. */
export function createRamp(param: AudioParam, scale: Scale, position: number): Ramp {
  // One after the other: a tick is scheduled while the one before it is still on its way.
  let ways = [{ from: position, to: position, start: -Infinity, end: 0 }];
  param.value = scale.value(position);

  const last = () => ways.at(-1)!;

  function positionAt(when: number): number {
    const { from, to, start, end } = ways.findLast((way) => way.start <= when)!;
    return when >= end ? to : from + (to - from) * ((when - start) / (end - start));
  }

  function rampTo(value: number, when: number): void {
    if (scale.curve === "linear") param.linearRampToValueAtTime(value, when);
    else param.exponentialRampToValueAtTime(Math.max(FLOOR, value), when);
  }

  return {
    positionAt,
    get target() {
      return last().to;
    },
    to(target, when, seconds) {
      if (target === last().to) return;
      const from = positionAt(when);
      const begun = ways.filter((way) => way.start < when).slice(-KEPT_WAYS);
      if (when < last().end) {
        // The whole piece that goes on up to `when` or beyond it is taken back, so its part up to
        // then is put there again.
        param.cancelScheduledValues(when);
        if (when <= begun.at(-1)!.end) rampTo(scale.value(from), when);
      }
      ways = [...begun, { from, to: target, start: when, end: when + seconds }];
      const value = scale.value(target);
      if (seconds === 0) {
        param.setValueAtTime(value, when);
        return;
      }
      const first = scale.value(from);
      param.setValueAtTime(scale.curve === "linear" ? first : Math.max(FLOOR, first), when);
      const low = Math.min(from, target);
      const high = Math.max(from, target);
      const passed = scale.knees.filter((knee) => knee > low && knee < high)
        .toSorted((one, other) => target > from ? one - other : other - one);
      for (const knee of passed) {
        rampTo(scale.value(knee), when + seconds * ((knee - from) / (target - from)));
      }
      rampTo(value, when + seconds);
      if (value === 0 && scale.curve === "exponential") param.setValueAtTime(0, when + seconds);
    },
  };
}
