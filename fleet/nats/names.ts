/**
 * Names in NATS: of streams, subjects and keys. What these do not take is written as `=` or `_` and
 * two hexadecimal digits for each byte.
 *
 * @module
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function escaped(text: string, kept: RegExp, mark: string): string {
  return Array.from(text, (character) => {
    if (kept.test(character)) return character;
    return Array.from(encoder.encode(character), (byte) => mark + hex(byte)).join("");
  }).join("");
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/** Returns a name of an organisation that streams and subjects take. */
export function nameOf(organisation: string): string {
  return escaped(organisation, /^[A-Za-z0-9-]$/, "_");
}

/** Returns the subject token of a key of the ledger. A full stop between others stays. */
export function tokenOf(key: string): string {
  return key.split(".").map((part) => escaped(part, /^[\w-]$/, "="))
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
