import type { Outcome } from "../../core/command.ts";
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { type Branch, isBranch } from "../../core/tree/tree.ts";
import type { Envelope } from "../control-api/envelope.ts";
import type { Method } from "../control-api/method.ts";
import type { RpcMethod } from "../control-api/rpc-method.ts";
import { rpcMethods } from "../control-api/rpc-methods.ts";
import { cameAs } from "../parameters.ts";
import { whenKnown } from "../when-known.ts";

/** Calls an RPC method: `payload` names it and its parameters. */
export const rpc: Method = {
  writes: (request) => methodOf(request)?.writes === true,
  logsIn: (request) => methodOf(request)?.logsIn === true,
  answersMuch: (request) => methodOf(request)?.answersMuch === true,
  asks(request) {
    const method = methodOf(request);
    if (method === undefined || method.reads === true) return undefined;
    return { call: method.name, target: (request.payload as Branch).params };
  },
  answer(request, caller) {
    const called = readCall(request, rpcMethods);
    if (isRefusal(called)) return called;
    const { method, params } = called;
    const echo = { method: method.name, params: method.echo?.(params) ?? params };
    const outcome = method.call(params, caller);
    const answerOf = (known: Outcome<object>) =>
      isRefusal(known) ? known : { ...known, result: { ...echo, result: known.result } };
    return whenKnown(outcome, answerOf);
  },
};

/** A call of an RPC method with the parameters as they were received. */
export interface RpcCall<Method> {
  readonly method: Method;
  readonly params: Branch;
}

/**
 * Reads the call in the payload of a request. Refused: a call without a method (1), a method that
 * is not in `methods` (2), and parameters that are not an object (3).
 */
export function readCall<Method extends object>(
  { payload }: Envelope,
  methods: ReadonlyMap<string, Method>,
): RpcCall<Method> | Refusal {
  if (!isBranch(payload)) {
    return refuse("malformed", `expected an object, ${cameAs(payload)}`, "payload");
  }
  const { method: name, params = {} } = payload;
  if (typeof name !== "string") {
    return refuse("malformed", `expected a string, ${cameAs(name)}`, "payload.method");
  }
  const method = methods.get(name);
  if (method === undefined) return refuse("unknownMethod", `there is no RPC ${shown(name)}`);
  return isBranch(params)
    ? { method, params }
    : refuse("invalidParameter", `expected an object, got ${shown(params)}`, "params");
}

function methodOf({ payload }: Envelope): RpcMethod | undefined {
  return isBranch(payload) && typeof payload.method === "string"
    ? rpcMethods.get(payload.method)
    : undefined;
}
