/**
 * The movement of a meter on the screen. The engine reports with the ballistics of the mode 25
 * times a second; between two reports the needle glides, and its peak is held.
 *
 * @module
 */
import { SILENT_DB } from "./scale.ts";

/** The display of one side of a meter, in dBFS. */
export interface Needle {
  readonly level: number;
  /** The held peak. */
  readonly peak: number;
  /** The remaining time of the hold of the peak, in s. */
  readonly held: number;
}

/** A needle that shows nothing. */
export const SILENT: Needle = { level: SILENT_DB, peak: SILENT_DB, held: 0 };

/** The needle glides to a new report in about this time, in s. */
const GLIDE_SECONDS = 0.02;

/** Time in s for which a peak is held; then it falls like the return of a PPM. */
const HOLD_SECONDS = 1.5;
const FALL_DB = 20 / 1.7;

/** A difference in dB that no eye sees: the needle rests within it. */
const NOTHING_DB = 0.05;

/** Moves a needle on by `seconds`, towards the level that was reported last, in dBFS. */
export function moved(needle: Needle, reported: number, seconds: number): Needle {
  const missing = (reported - needle.level) * Math.exp(-seconds / GLIDE_SECONDS);
  const level = Math.abs(missing) < NOTHING_DB ? reported : reported - missing;
  if (level >= needle.peak) return { level, peak: level, held: HOLD_SECONDS };
  const held = Math.max(0, needle.held - seconds);
  const falling = held > 0 ? 0 : seconds - needle.held;
  return { level, peak: Math.max(level, needle.peak - FALL_DB * falling), held };
}

/** Whether a needle stays where it is until a level other than `reported` is reported. */
export function isAtRest({ level, peak }: Needle, reported: number): boolean {
  return level === reported && peak === level;
}
