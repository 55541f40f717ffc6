/**
 * What a method of the envelope is: `rpc`, `get`, `set`, `subscribe`, `unsubscribe`, `auth`,
 * `engine`, `report`.
 *
 * @module
 */
import type { Device } from "../../core/backup/device.ts";
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import type { Claim } from "../../core/engines/engines.ts";
import type { Reported } from "../../core/engines/report.ts";
import type { Refusal } from "../../core/errors.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import type { Branch, Path } from "../../core/tree/tree.ts";
import type { Actor, User } from "../../core/users/user.ts";
import type { Authenticated } from "../tokens.ts";
import type { ParametersSchema } from "../parameters.ts";
import type { WantedMeters } from "../websocket/subscriptions.ts";
import type { Envelope } from "./envelope.ts";

/** A method: `request` is the whole envelope, its token has been looked at. */
export interface Method {
  /** The schema of what a request has beside a path and a payload. */
  readonly parameters?: ParametersSchema;
  /**
   * Answers a request with the `payload` of the answer, undefined for none. It is a promise where
   * something must reach the medium first, or takes long.
   */
  answer(request: Envelope, caller: Caller): Outcome<unknown> | Promise<Outcome<unknown>>;
  /** Whether a request writes at once: then it may start while other writes are being stored. */
  writes?(request: Envelope): boolean;
  /** Whether it is answered only where it has a `msgID`, or is refused. */
  readonly quiet?: boolean;
  /** Whether the answer may be too large to be written in one go. */
  answersMuch?(request: Envelope): boolean;
  /**
   * What the audit trail calls a request, and what it is about; undefined, as without it, for one
   * that only reads.
   */
  asks?(request: Envelope): Asked | undefined;
}

/** A request that asks for more than to read. */
export interface Asked {
  /** As the interface names it. */
  readonly call: string;
  /** A path, or the parameters. */
  readonly target?: unknown;
}

/** An open WebSocket connection, as `getclientlist` lists it. */
export interface ClientListEntry {
  readonly address: string;
  /** Name of the user; `null` without a login. */
  readonly user: string | null;
  /** Since when it is open, in ISO 8601 and UTC. */
  readonly since: string;
  /** How many paths it is subscribed to. */
  readonly subscriptions: number;
  /** How many bytes it has left unread. */
  readonly unread: number;
  /** The paths that it has claimed as an engine, "/" for everything; empty for all others. */
  readonly claims: readonly string[];
}

/** The sender of a request, and the parts of the service that a method may use. */
export interface Caller {
  readonly console: Console;
  readonly actor: Actor;
  readonly scheduler: CooperativeScheduler;
  readonly device: Device;
  /** The open WebSocket connections, in the order in which they came. */
  clients(): readonly ClientListEntry[];
  /** Authenticates the request by a token in it, as `Tokens` does. */
  authenticate(token: unknown): Authenticated;
  /** Undefined over HTTP. */
  readonly connection?: Connection;
}

/** What a WebSocket connection has that an HTTP request has not. */
export interface Connection {
  /** Whether it is told of changes: not while a login is required and nobody is logged in. */
  mayHear(): boolean;
  subscribe(path: Path, wanted: WantedMeters): Refusal | undefined;
  unsubscribe(path: Path): void;
  /** Takes the report of the request, which is of an engine that has claimed paths. */
  report(claim: Claim, report: Branch): Outcome<Reported> | Promise<Outcome<Reported>>;
  /** Logs a user in on this connection, or, without one, out. */
  logIn(user: User | undefined): void;
}
