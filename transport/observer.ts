/**
 * The observer of a service, which hears of requests and connections for metrics and for the log.
 *
 * @module
 */

/** A request that was answered. */
export interface AnsweredRequest {
  readonly over: "http" | "websocket";
  /** The address that it came from. */
  readonly from: string;
  /** The HTTP method; over a WebSocket that of the envelope, "none" where it does not exist. */
  readonly method: string;
  /** Over HTTP: the path, without the query, which may have a token in it. */
  readonly path?: string | undefined;
  /** Over HTTP: the status of the answer. */
  readonly status?: number;
  /** Over a WebSocket: the error code of the answer, undefined where all went well. */
  readonly code?: number | undefined;
  /** How long the answer took, in ms, including the time to store changes on the medium. */
  readonly ms: number;
}

/** Called with requests and connections; `user` is undefined if nobody is logged in. */
export interface Observer {
  /** Called for each answered request; without it no times are measured. */
  answered?(request: AnsweredRequest): void;
  connected?(address: string, user: string | undefined): void;
  loggedIn?(address: string, user: string): void;
  disconnected?(address: string, user: string | undefined): void;
}
