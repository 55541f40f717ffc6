/**
 * Keys of the ledger as tokens of subjects of NATS. A character that a token cannot have is written
 * as `=` and two hexadecimal digits for each byte.
 *
 * @module
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function escaped(text: string): string {
  return Array.from(encoder.encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[\w-]/.test(character)) return character;
    return `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** Returns the subject token of a key of the ledger. A full stop between others stays. */
export function tokenOf(key: string): string {
  return key.split(".").map((part) => escaped(part))
    .reduce((before, part) => `${before}${before === "" || part === "" ? "=2E" : "."}${part}`);
}

/** Returns the key of a subject token. */
export function keyOf(token: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < token.length; at++) {
    if (token[at] !== "=") {
      bytes.push(token.charCodeAt(at));
      continue;
    }
    bytes.push(parseInt(token.slice(at + 1, at + 3), 16));
    at += 2;
  }
  return decoder.decode(new Uint8Array(bytes));
}
