/**
 * JSON in files for people.
 *
 * @module
 */

/**
 * Makes the bytes of a readable JSON file: indented, with a line end. A document of more than
 * `most` bytes is written without indents: a restored archive may have brought one that fits only
 * so.
 */
export function jsonFile(value: unknown, most = Infinity): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const readable = encoder.encode(`${JSON.stringify(value, null, 2)}\n`);
  return readable.length > most ? encoder.encode(JSON.stringify(value)) : readable;
}
