/**
 * Requests, as they come to the service and as it hands them on.
 *
 * @module
 */
import type { AnswerBody } from "./answer-body.ts";
import type { Socket } from "./websocket/outbox.ts";

/** One request, with what the platform knows beside it. */
export interface Arrival {
  readonly request: Request;
  /** The address it came from. */
  readonly client: string;
  /**
   * Makes a WebSocket of it. `open` is called with the socket once the handshake is done, which may
   * be never: until then there is no connection. It returns the listener of the socket. `longest` is
   * the maximum number of bytes of a message; a runtime need not collect more of one.
   */
  upgrade(
    open: (socket: Socket) => Listener,
    longest: () => number,
  ): Response | Promise<Response>;
  /**
   * `completed` settles once the client has read the answer, or is gone. Without it that is not
   * known: a request counts until it is answered.
   */
  readonly delivery?: { readonly completed: Promise<unknown> };
  /** Whether it is a stream of HTTP/2: one connection may leave many answers unread. */
  readonly isStream?: boolean;
}

/** Hears from a socket. */
export interface Listener {
  /** A message has come: its data, which is a string unless the frame is binary. */
  receive(data: unknown): void;
  /** The connection is gone. */
  closed(): void;
}

/** Answers whatever arrives. */
export type Service = (arrival: Arrival) => Response | Promise<Response>;

/** A request over HTTP. */
export interface HttpRequest {
  readonly request: Request;
  readonly url: URL;
  /** The address of the client, as the limits count it. */
  readonly client: string;
  /** Whether its answer may be so large that it waits for the client to read it. */
  waits: boolean;
  /** Makes the body of its answer. */
  readonly bodyOf: AnswerBody;
}

/**
 * The address of a client, for the limits that count per client: that of the connection, or, behind
 * a trusted proxy (`limits.rest.trustProxy`), the one that the proxy added to `X-Forwarded-For`:
 * the last, for the ones before it are whatever the client sent. An IPv4 address mapped into IPv6
 * is the same client.
 */
export function clientOf(request: Request, address: string, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers.get("x-forwarded-for") : null;
  const client = forwarded?.split(",").at(-1)?.trim() || address;
  return client.includes(":") ? client.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "") : client;
}
