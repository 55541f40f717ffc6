/**
 * The type of the methods of the envelope: `rpc`, `get`, `set`, `subscribe`, `unsubscribe`, `auth`,
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
import type { LoudnessHistory } from "../../core/loudness/history.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import type { Branch, Path } from "../../core/tree/tree.ts";
import type { Actor, User } from "../../core/users/user.ts";
import type { Authenticated } from "../tokens.ts";
import type { ParametersSchema } from "../parameters.ts";
import type { WantedMeters } from "../websocket/subscriptions.ts";
import type { Envelope } from "./envelope.ts";

/** A method of the envelope. `request` is the whole envelope, whose token has been checked. */
export interface Method {
  /** The schema of the members of a request other than its path and payload. */
  readonly parameters?: ParametersSchema;
  /**
   * Carries a request out and returns the `payload` of the answer, undefined for none; a promise if
   * something has to be stored first, or takes long.
   */
  answer(request: Envelope, caller: Caller): Outcome<unknown> | Promise<Outcome<unknown>>;
  /**
   * Whether a request writes without waiting for anything: then it may start while other writes are
   * being stored.
   */
  writes?(request: Envelope): boolean;
  /** Whether a request is answered only if it has a `msgID` or is refused. */
  readonly quiet?: boolean;
  /** Whether the answer may be large, so that it is written in steps. */
  answersMuch?(request: Envelope): boolean;
  /** Whether a request is a login itself, which needs no token where one is required. */
  logsIn?(request: Envelope): boolean;
  /**
   * Returns the name and the target of a request for the audit trail; undefined, like a missing
   * method, for a request that only reads.
   */
  asks?(request: Envelope): Asked | undefined;
}

/** The call of a request that is more than a read, for the audit trail. */
export interface Asked {
  /** Its name in the interface. */
  readonly call: string;
  /** A path, or the parameters. */
  readonly target?: unknown;
}

/** An open WebSocket connection, as `getclientlist` lists it. */
export interface ClientListEntry {
  readonly address: string;
  /** Name of the user; `null` without a login. */
  readonly user: string | null;
  /** Time of opening, in ISO 8601 and UTC. */
  readonly since: string;
  /** Number of subscribed paths. */
  readonly subscriptions: number;
  /** Number of bytes that wait in the buffer of its socket; pending updates do not count. */
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
  /** Returns the open WebSocket connections, in the order in which they were opened. */
  clients(): readonly ClientListEntry[];
  readonly history: LoudnessHistory;
  /** Authenticates the request by a token in it, as `Tokens` does. */
  authenticate(token: unknown): Authenticated;
  /**
   * Refuses a wrong code that a request has in place of a token, with the delay of a wrong token.
   */
  refuseLate(refusal: Refusal): Refusal | Promise<Refusal>;
  /** The WebSocket connection; undefined over HTTP. */
  readonly connection?: Connection;
  /** Over HTTP the refusal of the query, which comes after that of the token. */
  readonly badQuery?: Refusal | undefined;
}

/** The operations of a WebSocket connection, which an HTTP request lacks. */
export interface Connection {
  /** Whether it receives updates: not while a login is required and nobody is logged in. */
  mayHear(): boolean;
  subscribe(path: Path, wanted: WantedMeters): Refusal | undefined;
  unsubscribe(path: Path): void;
  /** Applies a report of an engine that has claimed paths. */
  report(claim: Claim, report: Branch): Outcome<Reported> | Promise<Outcome<Reported>>;
  /**
   * From now on the connection is told of changes of a view document. Refuses (11) a document
   * beyond the maximum number of followed documents.
   */
  followViewDocument(name: string): Refusal | undefined;
  /** From now on the connection is told of changes of access. */
  followAccess(): void;
  /** Logs a user in on this connection, or, without one, out. */
  logIn(user: User | undefined): void;
}
