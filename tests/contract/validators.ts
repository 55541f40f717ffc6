/**
 * What is wrong with a description, and with a value by it.
 *
 * @module
 */
import type { Json } from "../service.ts";
import { Ajv2020, formats, Validator } from "./packages.ts";

/** Says what is wrong with an OpenAPI document; undefined where nothing is. */
export async function openApiFaults(document: Json): Promise<string | undefined> {
  const { valid, errors } = await new Validator().validate(document);
  return valid ? undefined : JSON.stringify(errors, null, 1);
}

/** Says what is wrong with a value by the schema at a pointer (`#/$defs/update`) of a document. */
export type Check = (pointer: string, value: Json) => string | undefined;

/**
 * Reads a document of JSON Schemas. What checks throws where a schema is wrong, or, strictly, says
 * what it does not mean.
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
 * Makes a schema that takes no members but those that it names: published schemas leave room for
 * what comes later, but what is answered today they have to name.
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
 * An OpenAPI document has its schemas among parts that are none: all of them come to stand under
 * `$defs`, those without a name by where they stand.
 */
function onlySchemas(document: Json): Json {
  if (document.openapi === undefined) return document;
  const { paths, components: { schemas, ...others } } = document;
  const unnamed = Object.fromEntries(schemasIn({ paths, components: others }));
  const text = JSON.stringify({ $defs: { ...schemas, ...unnamed } });
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/"));
}

/** Finds the schemas of an OpenAPI document that have no name, each with a name of where it stands. */
export function* schemasIn(part: Json, at = "at"): Generator<readonly [string, Json]> {
  for (const [member, inner] of Object.entries<Json>(part)) {
    const here = `${at}.${member.replaceAll(/[^\w]/g, "_")}`;
    if (member === "schema") yield [here, inner];
    else if (typeof inner === "object" && inner !== null) yield* schemasIn(inner, here);
  }
}
