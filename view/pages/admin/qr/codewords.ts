/**
 * The codewords of a QR code (ISO/IEC 18004): the bytes of a text, and the codewords by which a
 * reader corrects errors. It has only the part of the standard that a link needs: byte mode, error
 * correction level M (15 % of the codewords may be wrong), versions 1 to 9, up to 180 bytes.
 *
 * @module
 */

/**
 * For each version: the number of all codewords, of the correction codewords of each block, and of
 * the blocks.
 */
const VERSIONS: readonly (readonly [all: number, correcting: number, blocks: number])[] = [
  [26, 10, 1],
  [44, 16, 1],
  [70, 26, 1],
  [100, 18, 2],
  [134, 24, 2],
  [172, 16, 4],
  [196, 18, 4],
  [242, 22, 4],
  [292, 22, 5],
];

/** The codewords of a symbol, and its version, which is its size. */
export interface Codewords {
  readonly version: number;
  readonly codewords: readonly number[];
}

/** Returns the codewords of a text in the smallest version for it; undefined beyond 180 bytes. */
export function codewordsOf(text: string): Codewords | undefined {
  const bytes = new TextEncoder().encode(text);
  // The mode and the length take 12 bits, and the terminator takes 4.
  const at = VERSIONS.findIndex(([all, correcting, blocks]) =>
    bytes.length + 2 <= all - correcting * blocks
  );
  if (at === -1) return undefined;
  const [all, correcting, blocks] = VERSIONS[at]!;
  const data = dataOf(bytes, all - correcting * blocks);
  // The last blocks are longer by one codeword if the blocks cannot all have one length.
  const short = Math.floor(data.length / blocks);
  const firstLong = blocks - data.length % blocks;
  const parts = Array.from({ length: blocks }, (_, block) => {
    const start = block * short + Math.max(0, block - firstLong);
    return data.slice(start, start + short + (block >= firstLong ? 1 : 0));
  });
  const corrections = parts.map((part) => correctionOf(part, correcting));
  return { version: at + 1, codewords: [...interleaved(parts), ...interleaved(corrections)] };
}

/**
 * Returns the mode (4: bytes) in 4 bits, the length and the bytes, and fills up to `length`
 * codewords.
 */
function dataOf(bytes: Uint8Array, length: number): number[] {
  const halves = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) halves.push(byte >> 4, byte & 15);
  halves.push(0);
  const data: number[] = [];
  for (let at = 0; at < halves.length; at += 2) data.push(halves[at]! << 4 | halves[at + 1]!);
  for (let filler = 0xec; data.length < length; filler ^= 0xec ^ 0x11) data.push(filler);
  return data;
}

/** Takes the first codeword of each block, then the second of each, and so on. */
function interleaved(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** Reed-Solomon: the data modulo the product of all (x - 2^i), 0 <= i < `degree`. */
function correctionOf(data: readonly number[], degree: number): number[] {
  let divisor = [1];
  for (let root = 1, at = 0; at < degree; root = product(root, 2), at++) {
    const times = divisor.map((factor) => product(factor, root));
    divisor = [...divisor, 0].map((factor, index) => factor ^ (times[index - 1] ?? 0));
  }
  const remainder = [...data, ...Array<number>(degree).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const factor = remainder[at]!;
    divisor.forEach((part, index) => remainder[at + index]! ^= product(part, factor));
  }
  return remainder.slice(data.length);
}

/** Multiplies in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function product(one: number, other: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = result << 1 ^ (result >> 7) * 0x11d ^ (other >> bit & 1) * one;
  }
  return result;
}
