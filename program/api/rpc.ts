/**
 * The published description of the RPC methods, with the schemas of parameters and results.
 *
 * @module
 */
import type { JsonSchema } from "@valibot/to-json-schema";
import type { Aliases } from "../../transport/control-api/rpc-method.ts";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";
import { jsonSchema } from "./json-schema.ts";

/** Describes every RPC method. */
export function describeRpc() {
  return [...rpcMethods.values()].map(({ name, summary, params, result, aliases }) => {
    const schema = jsonSchema(params);
    return {
      name,
      summary,
      params: aliases === undefined ? schema : withAliases(schema, aliases),
      result: jsonSchema(result),
    };
  });
}

/** Makes the schema of parameters, one of which is required under any of its names. */
function withAliases(
  { required = [], properties = {}, ...schema }: JsonSchema,
  { parameter, names }: Aliases,
): JsonSchema {
  const description = `read as ${parameter} where that is absent`;
  const counts = (aliases: readonly string[]): JsonSchema => ({
    required: aliases.slice(-1),
    properties: Object.fromEntries(aliases.map((name) => [name, properties[parameter]!])),
  });
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { description }])),
      ...properties,
    },
    required: required.filter((name) => name !== parameter),
    // An alias is read and validated only if none of the names before it is given.
    anyOf: [
      { required: [parameter], properties: { [parameter]: {} } },
      ...names.map((_, at) => counts(names.slice(0, at + 1))),
    ],
  };
}
