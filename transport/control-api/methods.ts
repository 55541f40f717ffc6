/**
 * Every method of the envelope, and what is checked before any of them: the token.
 *
 * @module
 */
import type { Pacer } from "../../core/ports.ts";
import { refuse } from "../../core/errors.ts";
import { isLarge, jsonSteps } from "../../core/json-pieces.ts";
import { shown } from "../../core/shown.ts";
import { type Answer, type Envelope, failed } from "./envelope.ts";
import { BAD_TOKEN, isGiven, NO_TOKEN, userOf } from "../token.ts";
import { auth } from "../methods/auth.ts";
import { get } from "../methods/get.ts";
import type { Caller, Method } from "./method.ts";
import { rpc } from "../methods/rpc.ts";
import { set } from "../methods/set.ts";
import { subscribe } from "../methods/subscribe.ts";
import { unsubscribe } from "../methods/unsubscribe.ts";

const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ auth, get, rpc, set, subscribe, unsubscribe }),
);

/** Whether a request may start while earlier writes of its connection are still being stored. */
export function isWrite(request: Envelope): boolean {
  return methods.get(request.method)?.writes(request) ?? false;
}

/** The text of the answer to a request; in turns where it is large. */
export function textOf(
  request: Envelope,
  given: Answer,
  pacer: Pacer,
): string | Promise<string> {
  const much = methods.get(request.method)?.answersMuch(request) === true;
  return much && isLarge(given.payload)
    ? pacer.alone(() => pacer.run(jsonSteps(given)))
    : JSON.stringify(given);
}

/**
 * Answers a request. A `token` in it counts for it alone. `tokenRequired` refuses whatever comes
 * without one, from a caller who is not logged in.
 */
export function answer(
  request: Envelope,
  caller: Caller,
  tokenRequired: boolean,
): Answer | Promise<Answer> {
  if (request.method === "auth") return auth.answer(request, caller);
  if (!isGiven(request.token)) {
    return tokenRequired && caller.actor.user === undefined
      ? failed(request, NO_TOKEN)
      : call(request, caller);
  }
  const user = userOf(caller.console.state, request.token);
  if (user === undefined) return failed(request, BAD_TOKEN);
  return call(request, { ...caller, actor: { ...caller.actor, user } });
}

function call(request: Envelope, caller: Caller): Answer | Promise<Answer> {
  return methods.get(request.method)?.answer(request, caller) ??
    failed(request, refuse("unknownMethod", `there is no method ${shown(request.method)}`));
}
