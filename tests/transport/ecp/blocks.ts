/**
 * Blocks of ECP as text: `03 00 110E0000 02CF 01`, without the zeros at their end.
 *
 * @module
 */
import { BLOCK_BYTES } from "../../../transport/ecp/block.ts";

/** Reads blocks, each of which is one text. */
export function blocks(...texts: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(texts.length * BLOCK_BYTES);
  for (const [index, text] of texts.entries()) {
    const digits = text.replaceAll(" ", "").match(/../g) ?? [];
    bytes.set(digits.map((two) => parseInt(two, 16)), index * BLOCK_BYTES);
  }
  return bytes;
}

/** Writes a block: its length, its command and its data, as `03 110E0000 02CF01`. */
export function shownBlock(bytes: Uint8Array): string {
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase());
  const [length] = bytes;
  const data = digits.slice(6, 6 + length!).join("");
  return [digits[0], digits.slice(2, 6).join(""), data].join(" ").trim();
}
