/**
 * JSON Schemas of what the service validates by valibot, in the dialect of 2020-12, which is that
 * of OpenAPI 3.1.
 *
 * @module
 */
import type { GenericSchema } from "valibot";

/** A part of a published description: plain JSON. */
export type Described = Readonly<Record<string, unknown>>;

/** The dialect of the published schemas, for a document that stands alone. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** A JSON Schema. */
export interface JsonSchema extends Described {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** What is read of a schema of valibot, or of a step of its pipe: the members of each type. */
interface Part {
  readonly kind: string;
  readonly type: string;
  readonly pipe?: readonly Part[];
  readonly entries: Readonly<Record<string, Part>>;
  readonly item: Part;
  readonly key: Part;
  readonly value: Part;
  readonly wrapped: Part;
  readonly options: readonly unknown[];
  readonly literal: unknown;
  readonly default?: unknown;
  readonly requirement: unknown;
  readonly description: string;
  readonly title: string;
  readonly metadata: Described;
}

/** Returns the JSON Schema of what a schema takes, to stand inside a document. */
export function jsonSchema(schema: GenericSchema): JsonSchema {
  return described(schema as unknown as Part);
}

function described(part: Part): JsonSchema {
  if (part.pipe === undefined) return ofSchema(part);
  const steps = part.pipe.flatMap(flat);
  const end = steps.findIndex(({ kind, type }, at) =>
    at > 0 && (kind === "schema" || type === "transform" || type === "raw_transform")
  );
  // What follows a transformation is checked of what that made.
  const [schema, ...actions] = end === -1 ? steps : steps.slice(0, end);
  return actions.reduce(
    (made, action) => ({ ...made, ...ofAction(action, made) }),
    ofSchema(schema!),
  );
}

function flat(part: Part): readonly Part[] {
  return part.pipe === undefined ? [part] : part.pipe.flatMap(flat);
}

/** Returns what a schema without a pipe comes to; nothing where JSON Schema has no words for it. */
function ofSchema(part: Part): JsonSchema {
  const preset = part.default === undefined
    ? {}
    : { default: typeof part.default === "function" ? part.default() : part.default };
  switch (part.type) {
    case "boolean":
    case "number":
    case "string":
      return { type: part.type };
    case "array":
      return { type: "array", items: described(part.item) };
    case "object":
    case "strict_object":
      return ofObject(part);
    case "record":
      return {
        type: "object",
        propertyNames: described(part.key),
        additionalProperties: described(part.value),
      };
    case "nullable":
      return { anyOf: [described(part.wrapped), { type: "null" }], ...preset };
    case "exact_optional":
    case "optional":
      return { ...described(part.wrapped), ...preset };
    case "literal":
      return { const: part.literal };
    case "picklist":
      return { enum: part.options, type: typeof part.options[0] };
    case "union":
      return { anyOf: part.options.map((option) => described(option as Part)) };
    default:
      return {};
  }
}

function ofObject({ type, entries }: Part): JsonSchema {
  const members = Object.entries(entries);
  const required = members.filter(([, { type }]) => !/optional$/.test(type)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, part]) => [name, described(part)])),
    required,
    ...(type === "strict_object" ? { additionalProperties: false } : {}),
  };
}

/** Returns what a step of a pipe adds to the schema so far. */
function ofAction({ type, requirement, ...action }: Part, made: JsonSchema): JsonSchema {
  const things = made.type === "array" ? "Items" : "Length";
  switch (type) {
    case "description":
      return { description: action.description };
    case "title":
      return { title: action.title };
    case "metadata":
      return action.metadata;
    case "integer":
      return { type: "integer" };
    case "safe_integer":
      return {
        type: "integer",
        minimum: made.minimum ?? Number.MIN_SAFE_INTEGER,
        maximum: made.maximum ?? Number.MAX_SAFE_INTEGER,
      };
    case "gt_value":
      return { exclusiveMinimum: requirement };
    case "uuid":
    case "ipv4":
    case "ipv6":
      return { format: type };
    case "min_value":
      return { minimum: requirement };
    case "max_value":
      return { maximum: requirement };
    case "min_length":
      return { [`min${things}`]: requirement };
    case "max_length":
      return { [`max${things}`]: requirement };
    case "length":
      return { [`min${things}`]: requirement, [`max${things}`]: requirement };
    case "non_empty":
      return { [`min${things}`]: 1 };
    case "regex":
      return made.pattern === undefined ? { pattern: (requirement as RegExp).source } : {};
    default:
      return {};
  }
}

/** Describes an object by its members, all of which it has unless `required` says which. */
export function object(
  properties: Described,
  required: readonly string[] = Object.keys(properties),
): Described {
  return { type: "object", properties, required };
}
