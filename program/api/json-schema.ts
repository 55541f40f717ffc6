/**
 * JSON Schemas of what the service validates by valibot, in the dialect of 2020-12, which is that
 * of OpenAPI 3.1.
 *
 * @module
 */
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";

/** A part of a published description: plain JSON. */
export type Described = Readonly<Record<string, unknown>>;

/** The dialect of the published schemas, for a document that stands alone. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Returns the JSON Schema of what a schema takes, to stand inside a document. */
export function jsonSchema(schema: Parameters<typeof toJsonSchema>[0]): JsonSchema {
  const { $schema: _, ...described } = toJsonSchema(schema, {
    typeMode: "input",
    errorMode: "ignore",
    target: "draft-2020-12",
  });
  return described;
}

/** Describes an object by its members, all of which it has unless `required` says which. */
export function object(
  properties: Described,
  required: readonly string[] = Object.keys(properties),
): Described {
  return { type: "object", properties, required };
}
