/**
 * The remaining time of a fade. A fade moves its fader at a constant speed along its travel, so the
 * position of the fader gives the remaining time at any moment.
 *
 * @module
 */
import { travelAt } from "./scale.ts";

/** A fade: the member `fade` of a fader in the control tree. */
export interface RunningFade {
  /** The level at which it began, in dB. */
  readonly from: number;
  /** The level at which it ends, in dB. */
  readonly to: number;
  /** Its total duration in s; 0 if no fade runs. */
  readonly seconds: number;
}

/** Returns the remaining seconds of a fade while its fader is at `dB`. */
export function remaining({ from, to, seconds }: RunningFade, dB: number): number {
  const way = travelAt(to) - travelAt(from);
  if (way === 0) return 0;
  const part = (travelAt(to) - travelAt(dB)) / way;
  return seconds * Math.min(1, Math.max(0, part));
}
