/**
 * Validates the parameters of REST actions and of RPC methods by their schemas.
 *
 * @module
 */
import * as v from "valibot";
import { isRefusal, type Refusal, refuse } from "../core/errors.ts";
import { shown } from "../core/shown.ts";
import { isFile } from "./intake/multipart.ts";

/** The schema of all parameters of an action or a method. */
export type ParametersSchema<Entries extends v.ObjectEntries = v.ObjectEntries> = v.ObjectSchema<
  Entries,
  undefined
>;

/**
 * Makes a valibot action that reads a value by a function of the core, whose refusals (3) name the
 * parameter themselves.
 */
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
 * Reads parameters by their schema; refuses the first invalid one (3).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as v from "valibot";
 * import { integer } from "./schemas.ts";
 *
 * const parameters = v.object({ mixer: integer("virtual mixer", { min: 0 }) });
 * assertEquals(readParameters(parameters, { mixer: 1 }), { mixer: 1 });
 * const refused = readParameters(parameters, { mixer: 1.5 });
 * const expected = "mixer: expected an integer from 0, got 1.5";
 * assertEquals("message" in refused && refused.message, expected);
 * ```
 */
export function readParameters<Entries extends v.ObjectEntries>(
  parameters: ParametersSchema<Entries>,
  received: Readonly<Record<string, unknown>>,
): v.InferOutput<ParametersSchema<Entries>> | Refusal {
  const given = { ...received };
  // A missing parameter is refused by its own schema, which describes the expected value.
  for (const name in parameters.entries) {
    if (!(name in given) && parameters.entries[name]!.type !== "optional") given[name] = undefined;
  }
  const parsed = v.safeParse(parameters, given, { abortEarly: true, message: "a value" });
  return parsed.success ? parsed.output : refusalOf(parsed.issues[0]);
}

function refusalOf({ type, path, input, message }: v.BaseIssue<unknown>): Refusal {
  if (type === "raw_transform") return refuse("invalidParameter", message);
  const name = path?.map(({ key }) => String(key)).join(".");
  return refuse("invalidParameter", `expected ${message}, ${cameAs(input)}`, name);
}

/** Says in a refusal which value was received, or that none was. */
export function cameAs(input: unknown): string {
  if (input === undefined) return "it is missing";
  return isFile(input) ? `got the file ${shown(input.name)}` : `got ${shown(input)}`;
}
