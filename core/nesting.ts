/**
 * JSON from outside, which may nest deeper than any that is meant.
 *
 * @module
 */
import { MESSAGE_DEPTH } from "./limits.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The value of JSON from outside; undefined when it is no UTF-8, no JSON, or nests over
 * {@linkcode MESSAGE_DEPTH} levels.
 */
export function parseUtf8(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return nestsDeeper(value, MESSAGE_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether a JSON value nests deeper than so many levels. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // Most members are plain values: a call for each of 100,000 numbers takes milliseconds.
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let at = 0; at < members.length; at++) {
    const member = members[at];
    if (typeof member === "object" && nestsDeeper(member, levels - 1)) return true;
  }
  return false;
}
