/**
 * Every method of the envelope, and the check of the token before a method is called.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import type { Actor } from "../../core/users/user.ts";
import { jsonOf } from "../json-answers.ts";
import { auth } from "../methods/auth.ts";
import { engine } from "../methods/engine.ts";
import { get } from "../methods/get.ts";
import { report } from "../methods/report.ts";
import { rpc } from "../methods/rpc.ts";
import { set } from "../methods/set.ts";
import { subscribe } from "../methods/subscribe.ts";
import { unsubscribe } from "../methods/unsubscribe.ts";
import { NO_TOKEN, TOKEN_CALL } from "../request-token.ts";
import { isGiven } from "../tokens.ts";
import { whenKnown } from "../when-known.ts";
import { type Answer, type Envelope, failed, type Message, succeeded } from "./envelope.ts";
import type { Caller, Method } from "./method.ts";

/** The methods, by name. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ auth, engine, get, report, rpc, set, subscribe, unsubscribe }),
);

/**
 * Says whether a request may start while earlier writes of its connection are still being stored. A
 * request with a wrong token may not: requests behind it wait as long as its answer.
 */
export function isWrite(request: Message, console: Console): boolean {
  if (!("method" in request)) return false;
  const { method, token } = request;
  return methods.get(method)?.writes?.(request) === true &&
    (!isGiven(token) || !isRefusal(console.userOf(token)));
}

/**
 * Answers a request. A `token` in it applies to this request alone. `tokenRequired` refuses
 * requests without a token from callers who are not logged in.
 */
export function answer(
  request: Message,
  caller: Caller,
  tokenRequired: boolean,
): Answer | Promise<Answer> {
  if (!("method" in request)) return failed(request.message, request.refusal);
  const outcome = carryOut(request, caller, tokenRequired);
  const answerOf = (known: Outcome<unknown>) =>
    isRefusal(known) ? failed(request, known) : succeeded(request, known);
  return whenKnown(outcome, answerOf);
}

/** Carries a request out, as {@linkcode answer} does; the audit trail is told of a refusal. */
export function carryOut(
  request: Envelope,
  caller: Caller,
  tokenRequired: boolean,
): Outcome<unknown> | Promise<Outcome<unknown>> {
  const asked = methods.get(request.method)?.asks?.(request);
  const { actor, outcome } = authenticated(request, caller, asked?.call, tokenRequired);
  const told = (known: Outcome<unknown>) => {
    if (isRefusal(known)) {
      caller.console.tellRefused(actor, known, asked?.target ?? request.path);
    }
    return known;
  };
  return whenKnown(outcome, told);
}

/** Authenticates a request and carries it out; returns the outcome, and the actor with the call. */
function authenticated(
  request: Envelope,
  caller: Caller,
  call: string | undefined,
  tokenRequired: boolean,
): { readonly actor: Actor; readonly outcome: Outcome<unknown> | Promise<Outcome<unknown>> } {
  const { method, token } = request;
  const actor = call === undefined ? caller.actor : { ...caller.actor, call };
  if (method === "auth") {
    const judged = (known: Outcome<unknown>) => isRefusal(known) ? known : caller.badQuery ?? known;
    return { actor, outcome: whenKnown(auth.answer(request, caller), judged) };
  }
  if (!isGiven(token)) {
    const isRefused = tokenRequired && actor.user === undefined &&
      methods.get(method)?.logsIn?.(request) !== true;
    return isRefused
      ? { actor, outcome: NO_TOKEN }
      : { actor, outcome: outcomeOf(request, { ...caller, actor }) };
  }
  const user = caller.authenticate(token);
  if (user instanceof Promise || isRefusal(user)) {
    return { actor: { ...actor, user: undefined, call: call ?? TOKEN_CALL }, outcome: user };
  }
  const by = { ...actor, user };
  return { actor: by, outcome: outcomeOf(request, { ...caller, actor: by }) };
}

function outcomeOf(
  request: Envelope,
  caller: Caller,
): Outcome<unknown> | Promise<Outcome<unknown>> {
  if (caller.badQuery !== undefined) return caller.badQuery;
  const { method } = request;
  return methods.get(method)?.answer(request, caller) ??
    refuse("unknownMethod", `there is no method ${shown(method)}`);
}

/** Says whether the answer to a request is sent. */
export function isSent(request: Message, { success }: Answer): boolean {
  if (!("method" in request) || !success || request.msgID !== undefined) return true;
  return methods.get(request.method)?.quiet !== true;
}

/**
 * Makes the text of the answer to a request from an address, in steps if the answer may be large.
 * Checking the size of every answer would cost the many small ones a seventh of their time.
 */
export function textOf(
  request: Message,
  given: Answer,
  scheduler: CooperativeScheduler,
  address: string | undefined,
): string | Promise<string> {
  const much = typeof given.payload === "object" && "method" in request &&
    methods.get(request.method)?.answersMuch?.(request) === true;
  return much ? jsonOf(given, scheduler, address) : JSON.stringify(given);
}
