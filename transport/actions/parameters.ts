/**
 * Readers of an action's parameters: each takes one received parameter by its name and gives its
 * value, or a sentence that names the parameter, the value and what was expected.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import type { ReceivedFile } from "./multipart.ts";
import type { Received } from "./received.ts";

/** Reads the parameter `name`. */
export type Reader<T> = (received: Received, name: string) => { readonly value: T } | Refusal;

/**
 * A required integer: `-?[0-9]+` within the safe range (±(2^53 - 1)), anything else is refused.
 *
 * @example
 * ```ts
 * integer(received("ObjectID=12"), "ObjectID"); // { value: 12 }
 * integer(received("ObjectID=1.5"), "ObjectID"); // ObjectID must be an integer, not "1.5"
 * ```
 */
export const integer: Reader<number> = (received, name) => {
  const digits = readText(received, name, "an integer");
  if (isRefusal(digits)) return digits;
  // "-0" is 0.
  const value = /^-?[0-9]+$/.test(digits.value) ? Number(digits.value) + 0 : NaN;
  if (Number.isSafeInteger(value)) return { value };
  const range = Number.isNaN(value) ? "" : ` within ±${Number.MAX_SAFE_INTEGER}`;
  return refused(`${name} must be an integer${range}, not ${shown(digits.value)}`);
};

/** A required text, which may be empty. What it may hold is for its owner to say. */
export const text: Reader<string> = (received, name) => readText(received, name, "text");

/** A required file of a `multipart/form-data` body. A form's file field left empty is missing. */
export const file: Reader<ReceivedFile> = (received, name) => {
  const expected = "a file in a multipart/form-data body";
  const only = readOnce(received, name, expected);
  if (isRefusal(only)) return only;
  if (typeof only.value === "string") {
    return refused(`${name} must be ${expected}, not ${shown(only.value)}`);
  }
  if (only.value.name === "" && only.value.bytes.length === 0) return missing(name, expected);
  return { value: only.value };
};

/** What `reader` reads, or `undefined` where the parameter did not come at all. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (received, name) => received.has(name) ? reader(received, name) : { value: undefined };
}

function readText(
  received: Received,
  name: string,
  expected: string,
): { readonly value: string } | Refusal {
  const only = readOnce(received, name, expected);
  if (isRefusal(only)) return only;
  if (typeof only.value === "string") return { value: only.value };
  return refused(`${name} must be ${expected}, not a file`);
}

function readOnce(
  received: Received,
  name: string,
  expected: string,
): { readonly value: string | ReceivedFile } | Refusal {
  const values = received.get(name) ?? [];
  if (values[0] === undefined) return missing(name, expected);
  if (values.length > 1) return refused(`${name} came ${values.length} times, not once`);
  return { value: values[0] };
}

function missing(name: string, expected: string): Refusal {
  return refused(`${name} is missing: ${expected} is expected`);
}

function refused(sentence: string): Refusal {
  return refuse("invalidParameter", sentence);
}
