/**
 * Every method of the envelope, and what is checked before any of them: the token.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { auth } from "../methods/auth.ts";
import { get } from "../methods/get.ts";
import { rpc } from "../methods/rpc.ts";
import { set } from "../methods/set.ts";
import { subscribe } from "../methods/subscribe.ts";
import { unsubscribe } from "../methods/unsubscribe.ts";
import { isGiven, NO_TOKEN, userOf } from "../request-token.ts";
import { type Answer, type Envelope, failed, type Message, succeeded } from "./envelope.ts";
import type { Caller, Method } from "./method.ts";

const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ auth, get, rpc, set, subscribe, unsubscribe }),
);

/**
 * Says whether a request may start while earlier writes of its connection are still being stored.
 * One with a wrong token may not: what is behind it waits as long as its answer does.
 */
export function isWrite(request: Message, console: Console): boolean {
  if ("refusal" in request) return false;
  const { method, token } = request;
  return methods.get(method)?.writes?.(request) === true &&
    (!isGiven(token) || userOf(console, token) !== undefined);
}

/**
 * Answers a request. A `token` in it counts for it alone. `tokenRequired` refuses whatever comes
 * without one, from a caller who is not logged in.
 */
export function answer(
  request: Message,
  caller: Caller,
  tokenRequired: boolean,
): Answer | Promise<Answer> {
  if ("refusal" in request) return failed(request.message, request.refusal);
  const outcome = outcomeOf(request, caller, tokenRequired);
  const answerOf = (known: Outcome<unknown>) =>
    isRefusal(known) ? failed(request, known) : succeeded(request, known.result);
  return outcome instanceof Promise ? outcome.then(answerOf) : answerOf(outcome);
}

function outcomeOf(
  request: Envelope,
  caller: Caller,
  tokenRequired: boolean,
): Outcome<unknown> | Promise<Outcome<unknown>> {
  const { method, token } = request;
  if (method === "auth") return auth.answer(request, caller);
  let by = caller;
  if (isGiven(token)) {
    const user = caller.judge(token);
    if (user instanceof Promise || isRefusal(user)) return user;
    by = { ...caller, actor: { ...caller.actor, user } };
  } else if (tokenRequired && caller.actor.user === undefined) return NO_TOKEN;
  return methods.get(method)?.answer(request, by) ??
    refuse("unknownMethod", `there is no method ${shown(method)}`);
}
