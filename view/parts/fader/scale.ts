/**
 * The scale beside a fader, and the text of its level.
 *
 * @module
 */
import { dBOf, travelOf } from "../../../fade/law.ts";
import { FADER_MAX, FADER_MIN } from "../../../fade/limits.ts";
import type { Decimal } from "../../texts/decimal.ts";

/** The levels that are marked, in dB, from the top down; the last stands for off. */
export const MARKS: readonly number[] = [FADER_MAX, 5, 0, -5, -10, -20, -30, -40, -60, FADER_MIN];

/** The text at a mark. */
export function markText(dB: number): string {
  return dB === FADER_MIN ? "−∞" : String(Math.abs(dB));
}

/** The text of a level: `-12.0 dB`, `+3.5 dB`, and `−∞ dB` if the fader is off. */
export function levelText(dB: number, decimal: Decimal): string {
  if (dB <= FADER_MIN) return "−∞ dB";
  const tenths = toTenth(dB);
  return `${tenths > 0 ? "+" : ""}${decimal(tenths, 1)} dB`;
}

/** The level, in dB, at a travel (0..1; beyond it the nearer end), in tenths. */
export function levelAt(travel: number): number {
  return toTenth(dBOf(Math.min(1, Math.max(0, travel))));
}

/** The travel (0..1) of a level; for a level out of range the travel of the nearer end. */
export function travelAt(dB: number): number {
  return travelOf(Math.min(FADER_MAX, Math.max(FADER_MIN, dB)));
}

function toTenth(dB: number): number {
  // Never -0, which is written as "-0.0".
  return Math.round(dB * 10) / 10 + 0;
}
