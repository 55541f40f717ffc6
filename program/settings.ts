/**
 * `faderd settings schema`.
 *
 * @module
 */
import { settingsSchemas } from "../core/settings/settings.ts";
import { print } from "./print.ts";

/** Prints the JSON Schema of each settings document, by the tag of its backup. */
export async function settingsSchema(): Promise<void> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const schemas = Object.entries(settingsSchemas).map(([tag, schema]) => [
    tag,
    toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" }),
  ]);
  print(JSON.stringify(Object.fromEntries(schemas), null, 2));
}
