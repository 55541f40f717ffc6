/**
 * What a method of the envelope is: `rpc`, `get`, `set`, `subscribe`, `unsubscribe`, `auth`.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import type { Refusal } from "../../core/errors.ts";
import type { Pacer } from "../../core/ports.ts";
import type { Path } from "../../core/tree/tree.ts";
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

/** What all requests may ask of the world beside the console. */
export interface Surroundings {
  readonly pacer: Pacer;
  /** The open WebSocket connections, in the order in which they were opened. */
  clients(): readonly Client[];
}

/** What one request may ask of the world beside the console. */
export interface World extends Surroundings {
  /**
   * Keeps what the same connection asked for later from starting before this request is decided, which
   * the answer says: a write that cannot be decided at once is still decided in its order.
   */
  hold(): () => void;
  /**
   * Whether its connection would hear of what it subscribes to: not while a login is required and nobody
   * is logged in.
   */
  mayHear(): boolean;
}

/** The other end of a WebSocket connection, as it was when that was opened. */
export interface Peer {
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** When the connection was opened, in ms since 1970. */
  readonly since: number;
  /** Who is logged in from the start. */
  readonly user?: User | undefined;
}

/** An open WebSocket connection, as `getclientlist` tells of it. */
export interface Client {
  readonly address: string;
  /** The name of who is logged in; `null` for nobody. */
  readonly user: string | null;
  /** When it was opened, ISO 8601 in UTC. */
  readonly since: string;
  /** Paths that it is subscribed to. */
  readonly subscriptions: number;
  /** Bytes that wait to be read by it. */
  readonly unread: number;
}

/** Who sent a request, and how. */
export interface Caller {
  readonly console: Console;
  readonly actor: Actor;
  readonly world: World;
  /** Undefined over HTTP. */
  readonly connection?: Connection | undefined;
}

/** Answers a request. A promise where something must reach the medium first, or in turns. */
export interface Method {
  /** Whether the answer may be too large to be written in one go. */
  answersMuch(request: Envelope): boolean;
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
