/**
 * How the parameters of actions are read: each comes once, as text or as a file, and means a value,
 * or is refused by a sentence that names the parameter, what came and what was expected.
 *
 * @module
 */
import { type AskedTags, readTags, tagNames } from "../../core/backup/tags.ts";
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { LABEL_LENGTH, SNAPSHOT_ID, SNAPSHOT_NAME_LENGTH } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import { textFault } from "../../core/tree/leaf.ts";
import type { Received, ReceivedFile } from "../intake/intake.ts";

/** What a parameter means, or what is wrong with it. */
export type Reading<T> = { readonly value: T } | { readonly wrong: string } | Refusal;

/** How a parameter is read. */
export interface Reader<T> {
  /** What it has to be, as the published description says it. */
  readonly expected: string;
  /** The same in short, for the refusal of what is no such thing at all; by default `expected`. */
  readonly kind?: string;
  /** It may be left out. */
  readonly optional?: true;
  /** It is echoed as a number. */
  readonly integer?: true;
  /** It is a file of a form. */
  readonly file?: true;
  /** Reads what came. What takes long to check is for the action: a token has been judged by then. */
  read(given: string | ReceivedFile): Reading<T>;
}

/**
 * Reads the parameter `name` of what was received, or refuses it (3).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const received = new Map([["ObjectID", ["12"]], ["SnapshotID", ["1.5"]]]);
 * assertEquals(readParameter(integer, received, "ObjectID"), { value: 12 });
 * const refused = readParameter(integer, received, "SnapshotID");
 * const expected = 'SnapshotID: expected an integer, got "1.5"';
 * assertEquals("message" in refused && refused.message, expected);
 * ```
 */
export function readParameter<T>(
  reader: Reader<T>,
  received: Received,
  name: string,
): { readonly value: T } | Refusal {
  const values = received.get(name) ?? [];
  const [first] = values;
  if (first === undefined && reader.optional) return { value: undefined as T };
  const reading = first === undefined
    ? { wrong: `expected ${reader.kind ?? reader.expected}, it is missing` }
    : repeated(values, name) ?? reader.read(first);
  return "wrong" in reading ? refuse("invalidParameter", reading.wrong, name) : reading;
}

/** Makes the refusal of a parameter that came more than once. */
export function repeated(values: readonly unknown[], name: string): Refusal | undefined {
  const sentence = `expected it once, it came ${values.length} times`;
  return values.length > 1 ? refuse("invalidParameter", sentence, name) : undefined;
}

function text<T>(
  described: Omit<Reader<T>, "read">,
  read: (given: string) => Reading<T>,
): Reader<T> {
  const { expected, kind = expected } = described;
  return {
    ...described,
    read: (given) =>
      typeof given === "string" ? read(given) : { wrong: `expected ${kind}, got a file` },
  };
}

/** A required integer: `-?[0-9]+` within the safe range (±(2^53 - 1)), anything else is refused. */
export const integer: Reader<number> = integerFrom();

/** Makes the reader of a required `SnapshotID`, from `lowest` on. */
export function snapshotId(lowest: 0 | 1): Reader<number> {
  return integerFrom({ min: lowest, max: SNAPSHOT_ID.max });
}

function integerFrom(range?: { readonly min: number; readonly max: number }): Reader<number> {
  const kind = "an integer";
  const expected = range === undefined ? kind : `${kind} from ${range.min} to ${range.max}`;
  return text({ expected, kind, integer: true }, (digits) => {
    const value = parseInteger(digits);
    if (Number.isNaN(value)) return { wrong: `expected ${kind}, got ${shown(digits)}` };
    if (!Number.isSafeInteger(value)) {
      const most = Number.MAX_SAFE_INTEGER;
      return { wrong: `expected ${kind} within ±${most}, got ${shown(digits)}` };
    }
    return range === undefined || (value >= range.min && value <= range.max)
      ? { value }
      : { wrong: `expected ${expected}, got ${value}` };
  });
}

/**
 * Answers the number that `-?[0-9]+` means, which may be out of the safe range; NaN of any other
 * text.
 */
export function parseInteger(text: string): number {
  // "-0" is 0.
  return /^-?[0-9]+$/.test(text) ? Number(text) + 0 : NaN;
}

/** A required label: at most 128 characters, none of them a control character; it may be empty. */
export const label: Reader<string> = boundedText(LABEL_LENGTH.max);

/** A name of a snapshot, at most 64 characters, that may be left out. */
export const optionalSnapshotName: Reader<string | undefined> = {
  ...boundedText(SNAPSHOT_NAME_LENGTH.max),
  optional: true,
};

/**
 * Makes the reader of a required text without control characters; it may be empty. It is read in
 * Unicode NFC.
 */
function boundedText(characters: number): Reader<string> {
  const expected = `text of at most ${characters} characters without control characters`;
  return text({ expected, kind: "text" }, (given) => {
    const fault = textFault(given, characters);
    return fault === undefined ? { value: given.normalize("NFC") } : { wrong: fault };
  });
}

/** Required tags of a backup; whether they apply to the device is for later. */
export const tags: Reader<AskedTags> = text(
  { expected: `ALL, or some of ${tagNames.join(", ")}, with commas between` },
  (given) => {
    const asked = readTags(given);
    return typeof asked === "object" && isRefusal(asked) ? asked : { value: asked };
  },
);

const A_FILE = "a file in a multipart/form-data body";

/**
 * Makes the reader of a required file of a `multipart/form-data` body, which `read` reads. A form's
 * file field left empty is missing.
 */
export function file<T>(
  expected: string,
  read: (given: ReceivedFile) => Reading<T>,
): Reader<T> {
  return {
    expected,
    kind: A_FILE,
    file: true,
    read(given) {
      if (typeof given === "string") return { wrong: `expected ${A_FILE}, got ${shown(given)}` };
      return given.name === "" && given.bytes.length === 0
        ? { wrong: `expected ${A_FILE}, it is missing` }
        : read(given);
    },
  };
}

/**
 * Makes the reader of a required file of a kind that goes by its name: that ends in one of
 * `endings`, in either case.
 */
export function namedFile<T>(
  kind: string,
  endings: readonly string[],
  read: (given: ReceivedFile) => Reading<T>,
): Reader<T> {
  const expected = `${kind}, named ${endings.join(" or ")}`;
  return file(
    expected,
    (given) =>
      endings.some((ending) => given.name.toLowerCase().endsWith(ending))
        ? read(given)
        : { wrong: `expected ${expected}, got ${shown(given.name)}` },
  );
}
