/**
 * The types of requests: as they arrive at the service, and as it passes them on.
 *
 * @module
 */
import type { Actor } from "../core/users/user.ts";
import type { AnswerBody } from "./answer-body.ts";
import type { Target } from "./target.ts";
import type { Socket } from "./websocket/send-buffer.ts";

/**
 * The sender of a request without a token: a user that the fleet vouches for, or an anonymous
 * caller with at most the right `atMost`.
 */
export type Vouched = Pick<Actor, "user" | "atMost">;

/** One request, with the data of its connection. */
export interface Arrival {
  readonly request: Request;
  /** The address of the connection. */
  readonly client: string;
  /**
   * Upgrades the request to a WebSocket. `open` is called with the socket once the handshake is
   * done, which may never happen; it returns the listener of the socket. `longest` is the maximum
   * size of a message in bytes; a runtime need not collect more of one.
   */
  upgrade(
    open: (socket: Socket) => Listener,
    longest: () => number,
  ): Response | Promise<Response>;
  /**
   * `completed` settles once the client has read the answer or has disconnected. Without it a
   * request counts until it is answered.
   */
  readonly delivery?: { readonly completed: Promise<unknown> };
  /**
   * Whether the request is a stream of HTTP/2: one connection may leave the answers to many streams
   * unread.
   */
  readonly isStream?: boolean;
  /** The sender, if the fleet of the console vouches for it. */
  readonly vouched?: Vouched | undefined;
}

/** Receives the events of a socket. */
export interface Listener {
  /** Called with the data of a message, which is a string unless the frame is binary. */
  receive(data: unknown): void;
  /** Called when the connection is closed, with the code and the reason where they are known. */
  closed(code?: number, reason?: string): void;
}

/** Answers a request. */
export type Service = (arrival: Arrival) => Response | Promise<Response>;

/** A request over HTTP. */
export interface HttpRequest {
  readonly request: Request;
  readonly url: Target;
  /** The address of the client, as the limits count it. */
  readonly client: string;
  /** The sender of a request without a token. */
  readonly vouched?: Vouched | undefined;
  /** Whether the answer may be so large that writing it has to wait for the client to read. */
  waits: boolean;
  /** Makes the body of its answer. */
  readonly bodyOf: AnswerBody;
}

/**
 * Returns the address of a client, for limits per client: that of the connection, or, behind a
 * trusted proxy (`limits.rest.trustProxy`), the last one in `X-Forwarded-For`, which the proxy has
 * added; the client may have sent the ones before it. An IPv4 address mapped into IPv6 is the same
 * client.
 */
export function clientOf(request: Request, address: string, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers.get("x-forwarded-for") : null;
  const client = forwarded?.split(",").at(-1)?.trim() || address;
  return plainAddress(client);
}

/**
 * Returns an address as the limits count it: an IPv4 address mapped into IPv6 counts as the IPv4
 * address.
 */
export function plainAddress(client: string): string {
  return client.includes(":") ? client.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "") : client;
}
