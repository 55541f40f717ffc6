/**
 * How far a key or the wheel moves a fader.
 *
 * @module
 */
import { FADER_MAX, FADER_MIN } from "../../fade/limits.ts";
import { levelAt, travelAt } from "./scale.ts";

/** A step is this, in dB, and a tenth of it where it is fine. */
const STEP_DB = 1;

/** Far down a dB is nothing to see, so a step is at least this part of the travel. */
const STEP_TRAVEL = 0.01;

const FINE = 0.1;

/** PageUp and PageDown go so many steps. */
const PAGE_STEPS = 5;

/** A notch of a wheel scrolls by so many pixels. */
const NOTCH_PX = 100;

/** Which way each key goes, in steps. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: PAGE_STEPS,
  PageDown: -PAGE_STEPS,
};

/**
 * The level, in dB, to which a key brings a fader from `dB`: arrows by a step, fine by a tenth of
 * it, PageUp and PageDown by five, Home and End to the ends. Undefined for any other key.
 */
export function afterKey(key: string, dB: number, isFine: boolean): number | undefined {
  if (key === "Home") return FADER_MIN;
  if (key === "End") return FADER_MAX;
  const steps = KEYS[key];
  return steps === undefined ? undefined : stepped(dB, steps, isFine);
}

/** The level, in dB, to which a wheel brings a fader that was turned by so many pixels. */
export function afterWheel(pixels: number, dB: number, isFine: boolean): number {
  return stepped(dB, -pixels / NOTCH_PX, isFine);
}

function stepped(dB: number, steps: number, isFine: boolean): number {
  const factor = steps * (isFine ? FINE : 1);
  const byTravel = levelAt(travelAt(dB) + factor * STEP_TRAVEL);
  const byLevel = Math.min(FADER_MAX, Math.max(FADER_MIN, dB + factor * STEP_DB));
  const further = factor > 0 ? Math.max(byTravel, byLevel) : Math.min(byTravel, byLevel);
  return Math.round(further * 10) / 10 + 0;
}
