/**
 * The method `rpc` (service.md, "RPC envelope").
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { shown } from "../../core/shown.ts";
import { type Envelope, failed, succeeded } from "../envelope.ts";
import type { ReceivedParams, RpcMethod } from "../rpc/method.ts";
import { rpcMethods } from "../rpc/table.ts";
import { type Method, whenKnown } from "./method.ts";

/** Calls an RPC method: `payload` names it and its parameters. */
export const rpc: Method = {
  answersMuch: (request) => {
    const call = callOf(request);
    return !isRefusal(call) && call.method.answersMuch === true;
  },
  writes: (request) => {
    const call = callOf(request);
    return !isRefusal(call) && call.method.writes;
  },
  answer(request, { console, actor, world }) {
    const call = callOf(request);
    if (isRefusal(call)) return failed(request, call);
    const { method, params } = call;
    const echo = { method: method.name, params: method.echo?.(params) ?? params };
    return whenKnown(
      method.call(console, params, actor, world),
      (outcome) =>
        isRefusal(outcome)
          ? failed(request, outcome)
          : succeeded(request, { payload: { ...echo, result: outcome.result } }),
    );
  },
};

interface Call {
  readonly method: RpcMethod;
  readonly params: ReceivedParams;
}

function callOf({ payload }: Envelope): Call | Refusal {
  if (!isBranch(payload)) {
    return refuse("malformed", `expected an object, got ${shown(payload)}`, "payload");
  }
  const { method: name, params = {} } = payload;
  if (typeof name !== "string") {
    return refuse("malformed", `expected a string, got ${shown(name)}`, "payload.method");
  }
  const method = rpcMethods.get(name);
  if (method === undefined) return refuse("unknownMethod", `there is no RPC ${shown(name)}`);
  return isBranch(params)
    ? { method, params }
    : refuse("invalidParameter", `expected an object, got ${shown(params)}`, "params");
}
