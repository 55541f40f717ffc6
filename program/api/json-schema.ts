/**
 * JSON Schemas of the values that the service validates by valibot, in the dialect 2020-12, the
 * dialect of OpenAPI 3.1.
 *
 * @module
 */
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";

/** A part of a published description: plain JSON. */
export type Described = Readonly<Record<string, unknown>>;

/** The dialect of the published schemas, for a document that stands alone. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Returns the JSON Schema of the input of a schema, for use inside a document. */
export function jsonSchema(schema: Parameters<typeof toJsonSchema>[0]): JsonSchema {
  const { $schema: _, ...described } = toJsonSchema(schema, {
    typeMode: "input",
    errorMode: "ignore",
    target: "draft-2020-12",
  });
  return described;
}

/** Describes an object by its members; all of them are required unless `required` lists some. */
export function object(
  properties: Described,
  required: readonly string[] = Object.keys(properties),
): Described {
  return { type: "object", properties, required };
}
