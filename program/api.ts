/**
 * `faderd api`: the interfaces as data, from the schemas that validate them.
 *
 * @module
 */
import { errorCodes } from "../core/errors.ts";
import { actions } from "../transport/actions/table.ts";
import { rpcMethods } from "../transport/rpc/table.ts";
import { print } from "./print.ts";

/** Prints every RPC method, REST action and error code as JSON. */
export async function describeApi(): Promise<void> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const rpc = [...rpcMethods.values()].map(({ name, summary, params }) => ({
    name,
    summary,
    params: toJsonSchema(params, { typeMode: "input", errorMode: "ignore" }),
  }));
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
