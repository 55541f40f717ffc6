/**
 * How long a fade still takes. A fade moves the travel of its fader evenly, so where the fader is
 * says it, whenever one comes to look.
 *
 * @module
 */
import { travelAt } from "./scale.ts";

/** A fade, as `fade` of a fader in the control tree has it. */
export interface RunningFade {
  /** The level at which it began, in dB. */
  readonly from: number;
  /** The level at which it ends, in dB. */
  readonly to: number;
  /** How long it takes in all, in s; 0 where none runs. */
  readonly seconds: number;
}

/** The seconds that are left to a fade while its fader is at `dB`. */
export function remaining({ from, to, seconds }: RunningFade, dB: number): number {
  const way = travelAt(to) - travelAt(from);
  if (way === 0) return 0;
  const part = (travelAt(to) - travelAt(dB)) / way;
  return seconds * Math.min(1, Math.max(0, part));
}
