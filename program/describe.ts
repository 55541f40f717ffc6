/**
 * `faderd api`, `faderd config schema` and `faderd settings schema`: the interfaces and documents
 * as data, from the schemas that validate them.
 *
 * @module
 */
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import { configurationSchema } from "../core/configuration/schema.ts";
import { errorCodes } from "../core/errors.ts";
import { settingsSchemas } from "../core/settings/settings.ts";
import { actions } from "../transport/action-api/actions.ts";
import type { Aliases } from "../transport/control-api/rpc-method.ts";
import { rpcMethods } from "../transport/control-api/rpc-methods.ts";
import { print } from "./print.ts";

/** Prints every RPC method, REST action and error code as JSON. */
export function describeApi(): void {
  const rpc = [...rpcMethods.values()].map(({ name, summary, params, aliases }) => {
    const schema = jsonSchema(params);
    return { name, summary, params: aliases === undefined ? schema : withAliases(schema, aliases) };
  });
  const rest = [...actions.values()].map((action) => ({
    name: action.name,
    summary: action.summary,
    methods: action.methods,
    parameters: [
      ...Object.entries(action.parameters).map(([name, { expected, optional = false }]) => ({
        name,
        expected,
        optional,
      })),
      { name: "Token", expected: "the token of a user", optional: action.token === "optional" },
    ],
    deprecated: action.deprecated ?? false,
  }));
  printJson({ rpc, rest, errorCodes });
}

/** Prints the JSON Schema of configuration files. */
export function describeConfiguration(): void {
  printJson({ title: "faderd configuration", ...jsonSchema(configurationSchema) });
}

/** Prints the JSON Schema of each settings document, by the tag of its backup. */
export function describeSettings(): void {
  const schemas = Object.entries(settingsSchemas);
  printJson(Object.fromEntries(schemas.map(([tag, schema]) => [tag, jsonSchema(schema)])));
}

function jsonSchema(schema: Parameters<typeof toJsonSchema>[0]): JsonSchema {
  return toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
}

function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Makes the schema of parameters one of which is required under any of its names. */
function withAliases(
  { required = [], properties = {}, ...schema }: JsonSchema,
  { parameter, names }: Aliases,
): JsonSchema {
  const description = `read as ${parameter} where that is absent`;
  const counts = (aliases: readonly string[]) => ({
    required: aliases.slice(-1),
    properties: Object.fromEntries(
      aliases.map((name) => [name, { $ref: `#/properties/${parameter}` }]),
    ),
  });
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { description }])),
      ...properties,
    },
    required: required.filter((name) => name !== parameter),
    // An alias is read, and has to be right, only where none of the names before it is given.
    anyOf: [{ required: [parameter] }, ...names.map((_, at) => counts(names.slice(0, at + 1)))],
  };
}
