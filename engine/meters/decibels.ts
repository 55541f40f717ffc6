/**
 * Levels in two forms: as an amplitude, 1 being full scale, and in dB relative to that (dBFS).
 *
 * @module
 */
import { FADER_DB, METER_SILENCE_DB } from "../../core/limits.ts";

/**
 * Converts an amplitude to dB: 1 is 0 dB. The result is at least -125, the reading of a meter in
 * silence.
 */
export function toDecibels(amplitude: number): number {
  return amplitude > 0 ? Math.max(METER_SILENCE_DB, 20 * Math.log10(amplitude)) : METER_SILENCE_DB;
}

/**
 * Converts a level in dB to an amplitude: 0 dB is 1. The lowest level of a fader, -160 dB, and all
 * lower ones are silence: 0.
 */
export function fromDecibels(dB: number): number {
  return dB <= FADER_DB.min ? 0 : 10 ** (dB / 20);
}
