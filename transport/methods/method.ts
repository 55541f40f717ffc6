/**
 * What a method of the envelope is: `rpc`, `get`, `set`, `subscribe`, `unsubscribe`, `auth`.
 *
 * @module
 */
import type { Console, Outcome } from "../../core/console.ts";
import type { Refusal } from "../../core/errors.ts";
import type { Path } from "../../core/tree/path.ts";
import type { Actor, User } from "../../core/users/user.ts";
import type { Answer, Envelope } from "../envelope.ts";

/** What a WebSocket connection has that an HTTP request has not. */
export interface Connection {
  /** Whether it is told of changes: not while a login is required and nobody is logged in. */
  readonly mayHear: boolean;
  subscribe(path: Path): Refusal | undefined;
  unsubscribe(path: Path): void;
  /** Logs a user in on this connection, or, without one, out. */
  logIn(user: User | undefined): void;
}

/** Who sent a request, and how. */
export interface Caller {
  readonly console: Console;
  readonly actor: Actor;
  /** Undefined over HTTP. */
  readonly connection?: Connection | undefined;
}

/** Answers a request. A promise where something must reach the medium first. */
export interface Method {
  /** A write may start while earlier ones of its connection are on their way to the medium. */
  writes(request: Envelope): boolean;
  answer(request: Envelope, caller: Caller): Answer | Promise<Answer>;
}

/** Goes on with an outcome, now or when it comes. */
export function whenKnown<Result, Next>(
  outcome: Outcome<Result> | Promise<Outcome<Result>>,
  next: (outcome: Outcome<Result>) => Next,
): Next | Promise<Next> {
  return outcome instanceof Promise ? outcome.then(next) : next(outcome);
}
