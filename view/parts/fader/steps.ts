/**
 * The distances by which keys and the wheel move a fader.
 *
 * @module
 */
import { FADER_MAX, FADER_MIN } from "../../../fade/limits.ts";
import { levelAt, travelAt } from "./scale.ts";

/** The size of a step in dB; a fine step is a tenth of it. */
const STEP_DB = 1;

/** Minimum size of a step as a part of the travel, because far down a dB is too small to see. */
const STEP_TRAVEL = 0.01;

/** Factor of fine movement. */
export const FINE = 0.1;

/** Steps of PageUp and PageDown. */
const PAGE_STEPS = 5;

/** Number of pixels of the wheel that make a tenth of a step: a notch is about a step. */
const TENTH_PX = 10;

/** The `deltaMode` of a wheel event that counts lines. */
const DELTA_LINE = 1;

/** Height of a line in pixels, for wheels that count lines. */
const LINE_PX = 33;

/** Number of steps of each key; Home and End go to the ends. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Number of steps by which a key moves a slider; PageUp moves it by `page` steps. Undefined for any
 * other key.
 */
export function stepsOf(key: string, page: number): number | undefined {
  if (key === "PageUp") return page;
  return key === "PageDown" ? -page : KEYS[key];
}

/**
 * The level, in dB, to which a key brings a fader from `dB`: by steps, or by a tenth of them if
 * fine, or to an end. Undefined for any other key, such as the arrows to the sides, which go from
 * strip to strip.
 */
export function afterKey(key: string, dB: number, isFine: boolean): number | undefined {
  const steps = stepsOf(key, PAGE_STEPS);
  const isSideways = key === "ArrowLeft" || key === "ArrowRight";
  return steps === undefined || isSideways ? undefined : stepped(dB, steps, isFine);
}

/** A wheel at one fader. */
export interface Wheel {
  /**
   * The level, in dB, to which the wheel brings the fader from `dB`, turned by `pixels` more;
   * undefined as long as they do not make a tenth of a step: a trackpad reports a few pixels at a
   * time.
   */
  turn(pixels: number, dB: number, isFine: boolean): number | undefined;
}

/** Makes a wheel that has not been turned. */
export function createWheel(): Wheel {
  const countSteps = createStepCounter();
  return {
    turn(pixels, dB, isFine) {
      const tenths = countSteps(pixels, isFine ? TENTH_PX / FINE : TENTH_PX);
      if (tenths === 0) return undefined;
      return stepped(dB, -tenths / 10 / (isFine ? FINE : 1), isFine);
    },
  };
}

/**
 * Makes a function that converts the turns of a wheel, in pixels, into steps of `onePx` pixels. The
 * remainder, positive or negative, counts the next time.
 */
export function createStepCounter(): (pixels: number, onePx: number) => number {
  let gathered = 0;
  return (pixels, onePx) => {
    gathered += pixels;
    const count = Math.round(gathered / onePx);
    gathered -= count * onePx;
    return count;
  };
}

/** Whether the keys that are held ask for fine movement. */
export function isFine(
  { shiftKey, ctrlKey }: { readonly shiftKey: boolean; readonly ctrlKey: boolean },
): boolean {
  return shiftKey || ctrlKey;
}

/** The turn of a wheel in pixels, from its event: some wheels count lines. */
export function pixelsOf(turned: number, { deltaMode }: { readonly deltaMode: number }): number {
  return turned * (deltaMode === DELTA_LINE ? LINE_PX : 1);
}

function stepped(dB: number, steps: number, isFine: boolean): number {
  const factor = steps * (isFine ? FINE : 1);
  const byTravel = levelAt(travelAt(dB) + factor * STEP_TRAVEL);
  const byLevel = Math.min(FADER_MAX, Math.max(FADER_MIN, dB + factor * STEP_DB));
  const further = factor > 0 ? Math.max(byTravel, byLevel) : Math.min(byTravel, byLevel);
  return Math.round(further * 10) / 10 + 0;
}
