/**
 * Bytes as text.
 *
 * @module
 */

/** Writes bytes as hexadecimal digits in lower case. `toHex` of arrays is younger than Node 20. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
