/**
 * Levels in ECP: 16 bits with a sign, in hundredths of a dB.
 *
 * @module
 */
import { wordAt, wordBytes } from "./block.ts";

const HUNDREDTHS = 100;
const LOWEST = -0x8000;
const HIGHEST = 0x7fff;

/** Reads a level in dB, from -327.68 to 327.67. */
export function levelAt(bytes: Uint8Array, at: number): number {
  const word = wordAt(bytes, at);
  return (word > HIGHEST ? word + 2 * LOWEST : word) / HUNDREDTHS;
}

/** Writes a level in dB. */
export function levelBytes(level: number): readonly [number, number] {
  const hundredths = Math.round(level * HUNDREDTHS);
  return wordBytes(Math.min(HIGHEST, Math.max(LOWEST, hundredths)));
}
