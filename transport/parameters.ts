/**
 * Parameters of REST actions and of RPC methods: schemas that both share, and how values are read by
 * a schema. The message of a schema says what was expected: it stands in the refusal of anything
 * else, and in the published description.
 *
 * @module
 */
import * as v from "valibot";
import { isRefusal, type Refusal, refuse } from "../core/errors.ts";
import { SNAPSHOT_NAME_LENGTH } from "../core/limits.ts";
import { shown } from "../core/shown.ts";
import { textFault } from "../core/tree/leaf.ts";
import { isFile } from "./intake/intake.ts";

/** The schema of all parameters of an action or a method. */
export type Parameters<Entries extends v.ObjectEntries = v.ObjectEntries> = v.ObjectSchema<
  Entries,
  undefined
>;

/** Describes an integer in the safe range (±(2^53 - 1)), where given from `min` to `max`. */
export function integer(
  description: string,
  { min, max }: { readonly min?: number; readonly max?: number } = {},
) {
  const range = min === undefined ? ` within ±${Number.MAX_SAFE_INTEGER}` : ` from ${min}`;
  const expected = `an integer${range}${max === undefined ? "" : ` to ${max}`}`;
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(min ?? Number.MIN_SAFE_INTEGER, expected),
    v.maxValue(max ?? Number.MAX_SAFE_INTEGER, expected),
    v.description(description),
  );
}

/**
 * Describes text of `min` to `max` characters, which are counted in Unicode NFC, none of them a
 * control character.
 */
export function text({ min, max }: { readonly min: number; readonly max: number }) {
  const length = min === 0 ? `at most ${max}` : `${min} to ${max}`;
  const expected = `text of ${length} characters without control characters`;
  return v.pipe(
    v.string(expected),
    v.check(
      (text) =>
        textFault(text, max) === undefined &&
        (min === 0 || [...text.normalize("NFC")].length >= min),
      expected,
    ),
    v.metadata({ description: expected, minLength: min, maxLength: max, pattern: NO_CONTROLS }),
  );
}

/** JSON Schema's pattern for text without control characters (`Cc`). */
const NO_CONTROLS = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

/** Describes the display name of a snapshot, of at least `min` characters. */
export function snapshotName(min: number) {
  return v.pipe(
    text({ min, max: SNAPSHOT_NAME_LENGTH.max }),
    v.transform((name) => name.normalize("NFC")),
  );
}

/** Reads a value by a function of the core. Its refusals (3) name the parameter themselves. */
export function readBy<Given, Value extends NonNullable<unknown>>(
  read: (given: Given) => Value | Refusal,
) {
  return v.rawTransform<Given, Value>(({ dataset, addIssue, NEVER }) => {
    const value = read(dataset.value);
    if (!(typeof value === "object" && isRefusal(value))) return value;
    addIssue({ message: value.message });
    return NEVER;
  });
}

/**
 * Reads parameters by their schema, or refuses the first that is not as expected (3).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as v from "valibot";
 *
 * const parameters = v.object({ mixer: integer("virtual mixer", { min: 0 }) });
 * assertEquals(readParameters(parameters, { mixer: 1 }), { mixer: 1 });
 * const refused = readParameters(parameters, { mixer: 1.5 });
 * const expected = "mixer: expected an integer from 0, got 1.5";
 * assertEquals("message" in refused && refused.message, expected);
 * ```
 */
export function readParameters<Entries extends v.ObjectEntries>(
  parameters: Parameters<Entries>,
  received: Readonly<Record<string, unknown>>,
): v.InferOutput<Parameters<Entries>> | Refusal {
  const given = { ...received };
  // What is missing is refused by its own schema, which says what was expected.
  for (const [name, { type }] of Object.entries(parameters.entries)) {
    if (type !== "optional" && !(name in given)) given[name] = undefined;
  }
  const parsed = v.safeParse(parameters, given, { abortEarly: true, message: "a value" });
  return parsed.success ? parsed.output : refusalOf(parsed.issues[0]);
}

function refusalOf({ type, path, input, message }: v.BaseIssue<unknown>): Refusal {
  if (type === "raw_transform") return refuse("invalidParameter", message);
  const name = path?.map(({ key }) => String(key)).join(".");
  return refuse("invalidParameter", `expected ${message}, ${cameAs(input)}`, name);
}

function cameAs(input: unknown): string {
  if (input === undefined) return "it is missing";
  return isFile(input) ? `got the file ${shown(input.name)}` : `got ${shown(input)}`;
}
