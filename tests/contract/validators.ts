/**
 * Functions that find the faults of a description, and of a value by its schema.
 *
 * @module
 */
import type { Json } from "../service.ts";
import { Ajv2020, formats, Validator } from "./packages.ts";

/** The fault of an OpenAPI document; undefined where there is none. */
export async function openApiFaults(document: Json): Promise<string | undefined> {
  const { valid, errors } = await new Validator().validate(document);
  return valid ? undefined : JSON.stringify(errors, null, 1);
}

/** The fault of a value by the schema at a pointer (`#/$defs/update`) of a document. */
export type Check = (pointer: string, value: Json) => string | undefined;

/**
 * Reads a document of JSON Schemas. Throws where a schema is invalid, or where Ajv's strict mode
 * finds a keyword without effect.
 */
export function checksOf(document: Json): Check {
  const ajv = new Ajv2020({ strict: true, allErrors: false });
  formats.default(ajv);
  const { $schema: _, ...parts } = document;
  const id = "contract:document";
  ajv.addSchema({ $id: id, $defs: {}, ...onlySchemas(parts) }, id);
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (pointer, value) => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `${id}${pointer}` });
    compiled.set(pointer, check);
    return check(value) ? undefined : ajv.errorsText(check.errors);
  };
}

/**
 * Makes a schema that refuses members that it does not name: published schemas allow further
 * members of later versions, but have to name all members of today's answers.
 */
export function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => [keyword, closed(part)]),
  );
  const isObject = schema.type === "object" && typeof schema.properties === "object";
  return isObject ? { additionalProperties: false, ...inner } : inner;
}

/**
 * The schemas of an OpenAPI document, which are spread over its parts, as one document: all under
 * `$defs`, a schema without a name under a name of its place.
 */
function onlySchemas(document: Json): Json {
  if (document.openapi === undefined) return document;
  const { paths, components: { schemas, ...others } } = document;
  const unnamed = Object.fromEntries(schemasIn({ paths, components: others }));
  const text = JSON.stringify({ $defs: { ...schemas, ...unnamed } });
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/"));
}

/** The schemas of an OpenAPI document without a name, each with a name of its place. */
export function* schemasIn(part: Json, at = "at"): Generator<readonly [string, Json]> {
  for (const [member, inner] of Object.entries<Json>(part)) {
    const here = `${at}.${member.replaceAll(/[^\w]/g, "_")}`;
    if (member === "schema") yield [here, inner];
    else if (typeof inner === "object" && inner !== null) yield* schemasIn(inner, here);
  }
}
