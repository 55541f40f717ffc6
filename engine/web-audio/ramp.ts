/**
 * Moves a value without a click: from its value at a start time to a new value, within a
 * duration. A ramp that is still running is cut off at the start time, and the new one continues
 * from there. All times are in samples since the start of the sound, and may have a fraction.
 *
 * @module
 */
import { dBOf, travelOf } from "../../fade/law.ts";
import { fromDecibels } from "../meters/decibels.ts";
import { BLOCK, type Signal } from "./signal.ts";

/** Duration of the ramp of a fader from one value to the next in s: one tick of the service. */
export const FADER_SECONDS = 0.02;

/** Duration of the ramp of a switch in s: too short to be noticed, too long to click. */
export const SWITCH_SECONDS = 0.005;

/**
 * A scale maps positions to values. A ramp is linear in the position, which is the travel of a
 * fader or the value itself.
 */
export type Scale = (position: number) => number;

/** The scale that is linear in the value itself. */
export const evenly: Scale = (position) => position;

/**
 * The scale that is linear in the travel of a fader (`fade/law.ts`).
 */
export const byLaw: Scale = (travel) => fromDecibels(dBOf(travel));

/** Returns the position of a fader's level, -160..10 dB, on the scale {@linkcode byLaw}. */
export const faderPosition = travelOf;

/** The ramps of one value, made by {@linkcode createRamp}. */
export interface Ramp {
  /**
   * Moves to a position. Does nothing if the value is there or is moving there.
   *
   * @param when the time at which it starts; not before the next block
   * @param length its duration in samples; 0 sets the position at once
   */
  to(position: number, when: number, length: number): void;
  /** Returns the value at a time, which is not before any time that was asked for earlier. */
  valueAt(when: number): number;
  /** Returns the value throughout the block that begins at `frame`; undefined if it moves there. */
  steady(frame: number): number | undefined;
  /** Multiplies a block of a signal, which begins at `frame`. */
  multiply(frame: number, signal: Signal): void;
  /** Multiplies a block of a signal, which begins at `frame`, and adds it to another signal. */
  add(frame: number, from: Signal, into: Signal): void;
}

/** A ramp from one position to another. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** Number of samples in which a moving gain is linear: a power for each sample would cost most. */
const STEP = 8;

/** Gains of a moving ramp in a block; all ramps share them, because each uses them at once. */
const gains = new Float64Array(BLOCK);

/** Makes the ramps of a value that is at a position of a scale. */
export function createRamp(scale: Scale, position: number): Ramp {
  // In the order of their starts: a tick of a fade is scheduled while the ramp of the previous tick
  // still runs.
  let ways: readonly Way[] = [{ from: position, to: position, start: -Infinity, end: -Infinity }];
  let steadyAt = position;
  let steadyValue = scale(position);

  /** Returns the way that is in effect at a time. */
  function wayAt(when: number): Way {
    let index = ways.length - 1;
    while (index > 0 && ways[index]!.start > when) index--;
    return ways[index]!;
  }

  /** Drops the ways that are over at a time. */
  function dropOver(when: number): void {
    let over = 0;
    while (over + 1 < ways.length && ways[over + 1]!.start <= when) over++;
    if (over > 0) ways = ways.slice(over);
  }

  function steady(frame: number): number | undefined {
    dropOver(frame);
    const { end, to } = ways[0]!;
    if (end > frame || ways.length > 1 && ways[1]!.start < frame + BLOCK) return undefined;
    if (to !== steadyAt) [steadyAt, steadyValue] = [to, scale(to)];
    return steadyValue;
  }

  const read = (when: number) => scale(along(wayAt(when), when));

  /** Computes the gains of a block in which the value moves. */
  function move(frame: number): void {
    let value = read(frame);
    for (let from = 0; from < BLOCK; from += STEP) {
      const next = read(frame + from + STEP);
      for (let at = 0; at < STEP; at++) gains[from + at] = value + (next - value) * at / STEP;
      value = next;
    }
  }

  return {
    steady,
    valueAt(when) {
      dropOver(when);
      return read(when);
    },
    to(target, when, length) {
      if (target === ways[ways.length - 1]!.to) return;
      const from = along(wayAt(when), when);
      const begun = ways.filter(({ start }) => start < when);
      ways = [...begun, { from, to: target, start: when, end: when + length }];
    },
    multiply(frame, signal) {
      const factor = steady(frame);
      if (factor === 1) return;
      if (factor !== undefined) {
        for (const samples of signal) {
          for (let at = 0; at < BLOCK; at++) samples[at]! *= factor;
        }
        return;
      }
      move(frame);
      for (const samples of signal) {
        for (let at = 0; at < BLOCK; at++) samples[at]! *= gains[at]!;
      }
    },
    add(frame, from, into) {
      const factor = steady(frame);
      if (factor === 0) return;
      if (factor === undefined) move(frame);
      for (let channel = 0; channel < into.length; channel++) {
        const samples = from[channel]!;
        const sum = into[channel]!;
        if (factor !== undefined) {
          for (let at = 0; at < BLOCK; at++) sum[at]! += samples[at]! * factor;
        } else for (let at = 0; at < BLOCK; at++) sum[at]! += samples[at]! * gains[at]!;
      }
    },
  };
}

function along({ from, to, start, end }: Way, when: number): number {
  return when >= end ? to : from + (to - from) * ((when - start) / (end - start));
}
