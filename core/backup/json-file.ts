/**
 * JSON in the files of an archive.
 *
 * @module
 */
import { blank, parseUtf8 } from "../json.ts";
import { BACKUP_JSON_VALUES } from "../limits.ts";

const [comma, bracket, brace] = [0x2C, 0x5B, 0x7B];

/**
 * Reads the value of a JSON file; undefined when it is no UTF-8, no JSON, no object or list, has
 * over `values` values or is over another limit of JSON.
 */
export function parseJson(bytes: Uint8Array, values = BACKUP_JSON_VALUES): unknown {
  // Before it is made a text of, which takes as much memory again.
  const first = bytes.find((byte) => !blank.has(byte));
  if (first !== bracket && first !== brace) return undefined;
  return parseUtf8(bytes, values);
}

/** Answers how many values JSON may be made of, at most. */
export function jsonValues(bytes: Uint8Array): number {
  let values = 1;
  for (const byte of bytes) {
    if (byte === comma || byte === bracket || byte === brace) values++;
  }
  return values;
}

/** Makes the bytes of a JSON file for people: indented, with a line end. */
export function jsonFile(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
