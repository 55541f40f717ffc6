/**
 * JSON in the files of an archive.
 *
 * @module
 */
import { MESSAGE_DEPTH } from "../limits.ts";
import { nestsDeeper } from "../nesting.ts";

/** The value of a JSON file; undefined when it is no UTF-8, no JSON, or nests over 64 levels. */
export function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return nestsDeeper(value, MESSAGE_DEPTH) ? undefined : { value };
  } catch {
    return undefined;
  }
}

/** The bytes of a JSON file for people: indented, with a line end. */
export function jsonFile(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
