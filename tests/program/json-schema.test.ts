/** The published JSON Schemas, beside those that the package of valibot's author makes. */
import { assertEquals } from "@std/assert";
import { toJsonSchema } from "@valibot/to-json-schema";
import { configurationSchema } from "../../core/configuration/schema.ts";
import { jsonSchema } from "../../program/api/json-schema.ts";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";

Deno.test("every schema is described as by the package of valibot", () => {
  const methods = [...rpcMethods.values()];
  const schemas = [
    configurationSchema,
    ...methods.flatMap(({ params, result }) => [params, result]),
  ];
  for (const schema of schemas) {
    const { $schema: _, ...peer } = toJsonSchema(schema, {
      typeMode: "input",
      errorMode: "ignore",
      target: "draft-2020-12",
    });
    assertEquals<unknown>(jsonSchema(schema), peer);
  }
});
