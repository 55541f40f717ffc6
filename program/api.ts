/**
 * `faderd api`: the interfaces as data, from the schemas that validate them.
 *
 * @module
 */
import type { JsonSchema } from "@valibot/to-json-schema";
import { errorCodes } from "../core/errors.ts";
import { actions } from "../transport/action-api/actions.ts";
import type { Aliases } from "../transport/control-api/rpc-method.ts";
import { rpcMethods } from "../transport/control-api/rpc-methods.ts";
import { print } from "./print.ts";

/** Prints every RPC method, REST action and error code as JSON. */
export async function describeApi(): Promise<void> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const rpc = [...rpcMethods.values()].map(({ name, summary, params, aliases }) => {
    const schema = toJsonSchema(params, { typeMode: "input", errorMode: "ignore" });
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
  print(JSON.stringify({ rpc, rest, errorCodes }, null, 2));
}

/** The schema of parameters one of which is required under any of its names. */
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
    // An alias counts, and then has to be right, where none of the names before it is given.
    anyOf: [{ required: [parameter] }, ...names.map((_, at) => counts(names.slice(0, at + 1)))],
  };
}
