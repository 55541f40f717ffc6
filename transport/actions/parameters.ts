/**
 * Readers of an action's parameters: each takes one received parameter by its name and gives its
 * value, or a sentence that names the parameter, the value and what was expected.
 *
 * @module
 */
import { type AskedTags, readTags } from "../../core/backup/tags.ts";
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { FORM_BYTES, LABEL_LENGTH, SNAPSHOT_ID, SNAPSHOT_NAME_LENGTH } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import { textFault } from "../../core/tree/value.ts";
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
 * integer(received("ObjectID=1.5"), "ObjectID"); // ObjectID: expected an integer, got "1.5"
 * ```
 */
export const integer: Reader<number> = (received, name) => {
  const digits = readText(received, name, "an integer");
  if (isRefusal(digits)) return digits;
  // "-0" is 0.
  const value = /^-?[0-9]+$/.test(digits.value) ? Number(digits.value) + 0 : NaN;
  if (Number.isSafeInteger(value)) return { value };
  const range = Number.isNaN(value) ? "" : ` within ±${Number.MAX_SAFE_INTEGER}`;
  return refused(name, `expected an integer${range}, got ${shown(digits.value)}`);
};

/** A required text, which may be empty. What it may hold is for its owner to say. */
export const text: Reader<string> = (received, name) => readText(received, name, "text");

/** A required label: at most 128 characters, none of them a control character; it may be empty. */
export const label: Reader<string> = sound(LABEL_LENGTH.max);

/** A required name of a snapshot: at most 64 characters. */
export const snapshotName: Reader<string> = sound(SNAPSHOT_NAME_LENGTH.max);

/** A name of a snapshot that may be left out. */
export const optionalSnapshotName: Reader<string | undefined> = optional(snapshotName);

function sound(characters: number): Reader<string> {
  return (received, name) => {
    const read = text(received, name);
    if (isRefusal(read)) return read;
    const fault = textFault(read.value, characters);
    return fault === undefined ? { value: read.value.normalize("NFC") } : refused(name, fault);
  };
}

/** A required `SnapshotID`, from `lowest` on. */
export function snapshotId(lowest: 0 | 1): Reader<number> {
  return (received, name) => {
    const read = integer(received, name);
    if (isRefusal(read) || (read.value >= lowest && read.value <= SNAPSHOT_ID.max)) return read;
    const expected = `expected an integer from ${lowest} to ${SNAPSHOT_ID.max}`;
    return refused(name, `${expected}, got ${read.value}`);
  };
}

/** Required tags of a backup; whether they apply to the device is for later. */
export const tags: Reader<AskedTags> = (received, name) => {
  const read = readText(received, name, "tags of a backup");
  if (isRefusal(read)) return read;
  const asked = readTags(read.value);
  return !Array.isArray(asked) && typeof asked === "object" ? asked as Refusal : { value: asked };
};

/** What a form has around its file at most: boundaries, headers, the other fields. In bytes. */
export const FORM_AROUND_FILE_BYTES = FORM_BYTES;

/** A required file of a `multipart/form-data` body. A form's file field left empty is missing. */
export const file: Reader<ReceivedFile> = (received, name) => {
  const expected = "a file in a multipart/form-data body";
  const only = readOnce(received, name, expected);
  if (isRefusal(only)) return only;
  if (typeof only.value === "string") {
    return refused(name, `expected ${expected}, got ${shown(only.value)}`);
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
  return refused(name, `expected ${expected}, got a file`);
}

function readOnce(
  received: Received,
  name: string,
  expected: string,
): { readonly value: string | ReceivedFile } | Refusal {
  const values = received.get(name) ?? [];
  if (values[0] === undefined) return missing(name, expected);
  if (values.length > 1) return refused(name, `expected it once, it came ${values.length} times`);
  return { value: values[0] };
}

function missing(name: string, expected: string): Refusal {
  return refused(name, `expected ${expected}, it is missing`);
}

function refused(name: string, sentence: string): Refusal {
  return refuse("invalidParameter", sentence, name);
}
