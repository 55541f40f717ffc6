/**
 * Bytes as text, as captures of Ember+ are written.
 *
 * @module
 */

/** Reads bytes written as `fe 00 0e`. */
export function bytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (byte) => parseInt(byte, 16));
}

/** Writes bytes as `fe 00 0e`. */
export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

/**
 * Reads BER written as `60{6b{02 01 20}}`: the braces stand for the length of a container,
 * definite, or indefinite with its two zeros.
 */
export function ber(text: string, lengths: "definite" | "indefinite" = "definite"): Uint8Array {
  const parts: number[][] = [[]];
  for (const [part] of text.matchAll(/[0-9a-f]{2}|[{}]/gi)) {
    if (part === "{") parts.push([]);
    else if (part === "}") {
      const inside = parts.pop()!;
      if (lengths === "indefinite") parts.at(-1)!.push(0x80, ...inside, 0, 0);
      else parts.at(-1)!.push(...lengthOf(inside.length), ...inside);
    } else parts.at(-1)!.push(parseInt(part, 16));
  }
  return Uint8Array.from(parts[0]!);
}

function lengthOf(count: number): number[] {
  return count < 0x80 ? [count] : [0x82, count >> 8, count & 0xff];
}
