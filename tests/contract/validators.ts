/**
 * What is wrong with a description, and with a value by it.
 *
 * @module
 */
import type { Json } from "../service.ts";
import { Ajv2020, Validator } from "./packages.ts";

/** Says what is wrong with an OpenAPI document; undefined where nothing is. */
export async function openApiFaults(document: Json): Promise<string | undefined> {
  const { valid, errors } = await new Validator().validate(document);
  return valid ? undefined : JSON.stringify(errors, null, 1);
}

/** Says what is wrong with a value by the schema at a pointer (`#/$defs/update`) of a document. */
export type Check = (pointer: string, value: Json) => string | undefined;

/** Reads a document of JSON Schemas; throws where one of them is wrong, or says what it means not. */
export function checksOf(document: Json): Check {
  // `format` is a remark, and a list of types is fine; everything else that is unusual is a fault.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
    allErrors: false,
  });
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

/** An OpenAPI document has its schemas among parts that are none. */
function onlySchemas(document: Json): Json {
  if (document.openapi === undefined) return document;
  return { components: { schemas: document.components.schemas } };
}
