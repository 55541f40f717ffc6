/**
 * A QR code of a link (ISO/IEC 18004): the places of its modules, and the dark ones.
 *
 * @module
 */
import { codewordsOf } from "./codewords.ts";
import { MASKS, penaltyOf } from "./masks.ts";

/** Whether each module is dark, row by row, without the quiet zone around them. */
export type Modules = readonly (readonly boolean[])[];

/** A module before the mask is applied; undefined where the codewords go. */
type Drawn = (boolean | undefined)[][];

/** Makes the QR code of a text; undefined if the text is longer than 180 bytes. */
export function qrCode(text: string): Modules | undefined {
  const made = codewordsOf(text);
  if (made === undefined) return undefined;
  const { version, codewords } = made;
  const size = 17 + 4 * version;
  const fixed = patternsOf(version, size);
  const bits = codewords.flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => word >> bit & 1));
  const data = placed(bits, fixed);
  const masked = MASKS.map((mask, number) => {
    const modules = fixed.map((row, y) => row.map((own, x) => own ?? data[y]![x]! !== mask(y, x)));
    drawFormat(modules, number);
    return modules;
  });
  const penalties = masked.map(penaltyOf);
  return masked[penalties.indexOf(Math.min(...penalties))]!;
}

/**
 * Draws the patterns that every symbol of a version has, with light modules where its format will
 * be.
 */
function patternsOf(version: number, size: number): Drawn {
  const drawn: Drawn = Array.from({ length: size }, () => Array(size).fill(undefined));
  const clear = (top: number, left: number, rows: number, columns: number) => {
    for (let y = top; y < top + rows; y++) drawn[y]!.fill(false, left, left + columns);
  };
  clear(0, 0, 9, 9);
  clear(0, size - 8, 9, 8);
  clear(size - 8, 0, 8, 9);
  for (let at = 0; at < size; at++) drawn[6]![at] = drawn[at]![6] = at % 2 === 0;
  for (const [y, x] of [[3, 3], [3, size - 4], [size - 4, 3]] as const) drawRings(drawn, y, x, 3);
  const last = size - 7;
  // Version 1 has no alignment pattern; from 7 on there is another one in the middle.
  const centres = version === 1 ? [] : version < 7 ? [6, last] : [6, (6 + last) / 2, last];
  for (const y of centres) {
    for (const x of centres) {
      const isFinder = (y === 6 || x === 6) && y + x !== 6 + (6 + last) / 2;
      if (!isFinder) drawRings(drawn, y, x, 2);
    }
  }
  if (version >= 7) {
    const bits = withRemainder(version, 12, 0x1f25);
    for (let at = 0; at < 18; at++) {
      const [along, across] = [Math.floor(at / 3), size - 11 + at % 3];
      drawn[along]![across] = drawn[across]![along] = (bits >> at & 1) === 1;
    }
  }
  return drawn;
}

/** Draws dark rings, one inside the other, with a light one inside the outermost. */
function drawRings(drawn: Drawn, centreY: number, centreX: number, radius: number): void {
  for (let y = -radius; y <= radius; y++) {
    for (let x = -radius; x <= radius; x++) {
      const ring = Math.max(Math.abs(y), Math.abs(x));
      drawn[centreY + y]![centreX + x] = ring !== radius - 1;
    }
  }
}

/** Draws the format twice: level M, which is 0, and the number of the mask. */
function drawFormat(modules: boolean[][], mask: number): void {
  const { length: size } = modules;
  const bits = withRemainder(mask, 10, 0x537) ^ 0x5412;
  for (let at = 0; at < 15; at++) {
    const isDark = (bits >> at & 1) === 1;
    // Around the finder at the top left, past the timing patterns.
    const [y, x] = at < 8 ? [at + (at > 5 ? 1 : 0), 8] : [8, at === 8 ? 7 : 14 - at];
    modules[y]![x] = isDark;
    if (at < 8) modules[8]![size - 1 - at] = isDark;
    else modules[size - 15 + at]![8] = isDark;
  }
  modules[size - 8]![8] = true;
}

/** Puts the bits of the codewords in pairs of columns, from the right, up and down in turn. */
function placed(bits: readonly number[], fixed: Drawn): boolean[][] {
  const { length: size } = fixed;
  const data = fixed.map((row) => row.map(() => false));
  let next = 0;
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    // The timing pattern has a column of its own.
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y]![x] === undefined) data[y]![x] = bits[next++] === 1;
      }
    }
  }
  return data;
}

/** Appends the remainder of a division by a polynomial, in `degree` bits, to a value. */
function withRemainder(value: number, degree: number, polynomial: number): number {
  let remainder = value << degree;
  for (let bit = 31; bit >= degree; bit--) {
    if (remainder >> bit & 1) remainder ^= polynomial << bit - degree;
  }
  return value << degree | remainder;
}
