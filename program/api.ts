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
    parameters: [...Object.keys(action.parameters), "Token"],
    token: action.token,
    deprecated: action.deprecated ?? false,
  }));
  print(JSON.stringify({ rpc, rest, errorCodes }, null, 2));
}
