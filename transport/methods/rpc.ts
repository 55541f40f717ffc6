import type { Outcome } from "../../core/command.ts";
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Envelope } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";
import type { ReceivedParams, RpcMethod } from "../control-api/rpc-method.ts";
import { rpcMethods } from "../control-api/rpc-methods.ts";

/** Calls an RPC method: `payload` names it and its parameters. */
export const rpc: Method = {
  writes(request) {
    const call = callOf(request);
    return !isRefusal(call) && call.method.writes === true;
  },
  answersMuch(request) {
    const call = callOf(request);
    return !isRefusal(call) && call.method.answersMuch === true;
  },
  answer(request, caller) {
    const call = callOf(request);
    if (isRefusal(call)) return call;
    const { method, params } = call;
    const echo = { method: method.name, params: method.echo?.(params) ?? params };
    const outcome = method.call(params, caller);
    const answerOf = (known: Outcome<object>) =>
      isRefusal(known) ? known : { result: { ...echo, result: known.result } };
    return outcome instanceof Promise ? outcome.then(answerOf) : answerOf(outcome);
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
