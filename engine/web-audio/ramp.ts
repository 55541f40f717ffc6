/// <reference lib="dom" />
/**
 * Moves a parameter of an audio node without a click: from its value at a start time to a new
 * value, within a duration in s. A ramp that is still running is cut off at the start time, and the
 * new one continues from there. `cancelAndHoldAtTime` of the standard does the same, but not every
 * browser has it.
 *
 * @module
 */
import { dBOf, lawPoints, travelOf } from "../../fade/law.ts";
import { fromDecibels } from "../meters/decibels.ts";

/**
 * A scale maps positions to values of a parameter. A ramp is linear in the position, which is the
 * travel of a fader or the value itself.
 */
export interface Scale {
  value(position: number): number;
  /** The positions between which the value follows one curve. */
  readonly knees: readonly number[];
  /** The curve from one knee to the next. */
  readonly curve: "linear" | "exponential";
}

/** The scale that is linear in the value itself. */
export const evenly: Scale = { value: (position) => position, knees: [], curve: "linear" };

/**
 * The scale that is linear in the travel of a fader (`fade/law.ts`). Between two points of the law
 * the level in dB is linear, so the gain is exponential, and every sample has the level of the law.
 */
export const byLaw: Scale = {
  value: (travel) => fromDecibels(dBOf(travel)),
  knees: lawPoints.map(({ travel }) => travel),
  curve: "exponential",
};

/** Returns the position of a fader's level, -160..10 dB, on the scale {@linkcode byLaw}. */
export const faderPosition = travelOf;

/**
 * An exponential ramp cannot reach 0, so it starts or ends at this gain, which is -160 dB, one step
 * from 0.
 */
const FLOOR = 1e-8;

/** Number of past ramps that are kept, to compute the present position. */
const KEPT_WAYS = 3;

/** The ramps of one parameter, made by {@linkcode createRamp}. */
export interface Ramp {
  /**
   * Moves to a position. Does nothing if the parameter is there or is moving there.
   *
   * @param when the time of the context at which it starts; not before now
   * @param seconds how long it takes; 0 sets at once
   */
  to(position: number, when: number, seconds: number): void;
  /** The target position of the parameter. */
  readonly target: number;
  /** Returns the position of the parameter at a time. */
  positionAt(when: number): number;
}

/** Sets a parameter to a position of a scale, and makes its ramps. */
export function createRamp(param: AudioParam, scale: Scale, position: number): Ramp {
  // The ramps in their order: a tick of a fade is scheduled while the ramp of the one before is
  // still running.
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
        // This cancels the whole ramp that ends at or after `when`, so its part up to `when` is
        // scheduled again.
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
