/**
 * Levels in two forms: amplitude, of which 1 is full scale, and dB below that (dBFS).
 *
 * @module
 */
import { FADER_DB, METER_SILENCE_DB } from "../../core/limits.ts";

/**
 * Returns an amplitude in dB: of 1 it is 0, and no less than -125, which is what a meter shows in
 * silence.
 */
export function toDecibels(amplitude: number): number {
  return amplitude > 0 ? Math.max(METER_SILENCE_DB, 20 * Math.log10(amplitude)) : METER_SILENCE_DB;
}

/**
 * Returns the amplitude of a level in dB: of 0 it is 1. The lowest level of a fader, -160 dB, and
 * all below it are silence: 0.
 */
export function fromDecibels(dB: number): number {
  return dB <= FADER_DB.min ? 0 : 10 ** (dB / 20);
}
