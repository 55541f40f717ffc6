/**
 * Readers of an action's parameters: each takes one received parameter by its name and gives its
 * value, or a sentence that names the parameter, the value and what was expected.
 *
 * @module
 */
import { type AskedTags, readTags, tagNames } from "../../core/backup/tags.ts";
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { FORM_BYTES, LABEL_LENGTH, SNAPSHOT_ID, SNAPSHOT_NAME_LENGTH } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import type { Pacer } from "../../core/ports.ts";
import { textFault } from "../../core/tree/leaf.ts";
import type { Received, ReceivedFile } from "../intake/intake.ts";

/** What reading a parameter comes to. */
export type ReadValue<T> = { readonly value: T } | Refusal;

/** How a parameter is read. */
export interface Reader<T> {
  /** What it has to be, as the published description and the refusals say it. */
  readonly expected: string;
  /** It may be left out. */
  readonly optional?: true;
  /** It is echoed as a number. */
  readonly integer?: true;
  /** Reads the parameter `name`; what takes long to check, such as a picture, is a promise. */
  read(received: Received, name: string, pacer: Pacer): ReadValue<T> | Promise<ReadValue<T>>;
}

/** A reader that never takes long. */
export interface QuickReader<T> extends Reader<T> {
  read(received: Received, name: string): ReadValue<T>;
}

/**
 * A required integer: `-?[0-9]+` within the safe range (±(2^53 - 1)), anything else is refused.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(integer.read(new Map([["ObjectID", ["12"]]]), "ObjectID"), { value: 12 });
 * const refused = integer.read(new Map([["ObjectID", ["1.5"]]]), "ObjectID");
 * assertEquals("message" in refused && refused.message, 'ObjectID: expected an integer, got "1.5"');
 * ```
 */
export const integer: QuickReader<number> = {
  expected: "an integer",
  integer: true,
  read(received, name) {
    const digits = readText(received, name, integer.expected);
    if (isRefusal(digits)) return digits;
    const value = parseInteger(digits.value);
    if (Number.isSafeInteger(value)) return { value };
    const range = Number.isNaN(value) ? "" : ` within ±${Number.MAX_SAFE_INTEGER}`;
    return refused(name, `expected an integer${range}, got ${shown(digits.value)}`);
  },
};

/** The number that `-?[0-9]+` means, which may be out of the safe range; NaN of any other text. */
export function parseInteger(text: string): number {
  // "-0" is 0.
  return /^-?[0-9]+$/.test(text) ? Number(text) + 0 : NaN;
}

/** A required label: at most 128 characters, none of them a control character; it may be empty. */
export const label: QuickReader<string> = boundedText(LABEL_LENGTH.max);

/** A name of a snapshot, at most 64 characters, that may be left out. */
export const optionalSnapshotName: QuickReader<string | undefined> = optional(
  boundedText(SNAPSHOT_NAME_LENGTH.max),
);

/** A required text without control characters; it may be empty. It is read in Unicode NFC. */
function boundedText(characters: number): QuickReader<string> {
  return {
    expected: `text of at most ${characters} characters without control characters`,
    read(received, name) {
      const read = readText(received, name, "text");
      if (isRefusal(read)) return read;
      const fault = textFault(read.value, characters);
      return fault === undefined ? { value: read.value.normalize("NFC") } : refused(name, fault);
    },
  };
}

/** A required `SnapshotID`, from `lowest` on. */
export function snapshotId(lowest: 0 | 1): QuickReader<number> {
  const expected = `an integer from ${lowest} to ${SNAPSHOT_ID.max}`;
  return {
    expected,
    integer: true,
    read(received, name) {
      const read = integer.read(received, name);
      if (isRefusal(read) || (read.value >= lowest && read.value <= SNAPSHOT_ID.max)) return read;
      return refused(name, `expected ${expected}, got ${read.value}`);
    },
  };
}

/** Required tags of a backup; whether they apply to the device is for later. */
export const tags: QuickReader<AskedTags> = {
  expected: `ALL, or some of ${tagNames.join(", ")}, with commas between`,
  read(received, name) {
    const read = readText(received, name, tags.expected);
    if (isRefusal(read)) return read;
    const asked = readTags(read.value);
    return !Array.isArray(asked) && typeof asked === "object" ? asked as Refusal : { value: asked };
  },
};

/** What a form has around its file at most: boundaries, headers, the other fields. In bytes. */
export const FORM_AROUND_FILE_BYTES = FORM_BYTES;

/** A required file of a `multipart/form-data` body. A form's file field left empty is missing. */
export const file: QuickReader<ReceivedFile> = {
  expected: "a file in a multipart/form-data body",
  read(received, name) {
    const { expected } = file;
    const only = readOnce(received, name, expected);
    if (isRefusal(only)) return only;
    if (typeof only.value === "string") {
      return refused(name, `expected ${expected}, got ${shown(only.value)}`);
    }
    if (only.value.name === "" && only.value.bytes.length === 0) return missing(name, expected);
    return { value: only.value };
  },
};

/** A required file of a kind that goes by its name: that ends in one of `endings`, in either case. */
export function namedFile(kind: string, endings: readonly string[]): QuickReader<ReceivedFile> {
  const expected = `${kind}, named ${endings.join(" or ")}`;
  return {
    expected,
    read(received, parameter) {
      const read = file.read(received, parameter);
      if (isRefusal(read)) return read;
      const { name } = read.value;
      return endings.some((ending) => name.toLowerCase().endsWith(ending))
        ? read
        : refused(parameter, `expected ${expected}, got ${shown(name)}`);
    },
  };
}

/** What `reader` reads, or `undefined` where the parameter did not come at all. */
function optional<T>(reader: QuickReader<T>): QuickReader<T | undefined> {
  return {
    ...reader,
    optional: true,
    read: (received, name) =>
      received.has(name) ? reader.read(received, name) : { value: undefined },
  };
}

function readText(
  received: Received,
  name: string,
  expected: string,
): ReadValue<string> {
  const only = readOnce(received, name, expected);
  if (isRefusal(only)) return only;
  if (typeof only.value === "string") return { value: only.value };
  return refused(name, `expected ${expected}, got a file`);
}

function readOnce(
  received: Received,
  name: string,
  expected: string,
): ReadValue<string | ReceivedFile> {
  const values = received.get(name) ?? [];
  if (values[0] === undefined) return missing(name, expected);
  return repeated(values, name) ?? { value: values[0] };
}

/** The refusal of a parameter that came more than once. */
export function repeated(values: readonly unknown[], name: string): Refusal | undefined {
  return values.length > 1
    ? refused(name, `expected it once, it came ${values.length} times`)
    : undefined;
}

function missing(name: string, expected: string): Refusal {
  return refused(name, `expected ${expected}, it is missing`);
}

function refused(name: string, sentence: string): Refusal {
  return refuse("invalidParameter", sentence, name);
}
