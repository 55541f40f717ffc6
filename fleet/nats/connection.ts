/**
 * The connection of a hub to the servers of NATS: to one server at a time, and to another as soon
 * as the connection is lost.
 *
 * @module
 */
import {
  connect,
  type ConnectionOptions,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
} from "./packages.ts";
import type { ServerOptions } from "../several-hubs/shared.ts";

/** A connection. */
export interface NatsLine {
  readonly connection: NatsConnection;
  /** Says whether a server is connected now: without one, a message would wait unnoticed. */
  isConnected(): boolean;
  /** Calls `listener` when a server is connected again; the returned function ends that. */
  onBack(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * The first version whose file storage syncs before it acknowledges (`sync_interval: always`), with
 * the faults corrected that lost acknowledged writes.
 */
export const OLDEST_SERVER = "2.10.27";

/** Interval in ms of signs of life; a server that misses two of them is left for another. */
const PING_MS = 1000;

/** Time in ms between two attempts to connect, and the maximum random addition to it. */
const AGAIN = { ms: 100, jitterMs: 200 } as const;

/** Time in ms that one attempt has. */
const CONNECT_MS = 3000;

/** Connects; rejects if no server answers, lets this hub in and is new enough. */
export async function openLine(options: ServerOptions): Promise<NatsLine> {
  const { servers, ca, name, allowOldServer, onState } = options;
  // For all connections of the process, and for good: an error may come after the close.
  globalThis.addEventListener("error", ignoreLateError);
  const connection = await connect({
    servers: [...servers],
    name,
    ...authenticatorOf(options.credentials),
    ...tlsOf(servers, ca),
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    // A server lets nobody in while its users are changed; without this the second refusal is
    // final.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: AGAIN.ms,
    reconnectJitter: AGAIN.jitterMs,
    reconnectJitterTLS: AGAIN.jitterMs,
    timeout: CONNECT_MS,
  });
  const refusal = allowOldServer ? undefined : versionRefusal(connection.info?.version ?? "");
  if (refusal !== undefined) {
    await connection.close();
    throw new Error(refusal);
  }
  const listeners = new Set<() => void>();
  let isConnected = true;

  async function follow(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") {
        isConnected = false;
        onState?.("lost", status.server);
      } else if (status.type === "reconnect") {
        isConnected = true;
        onState?.("back", status.server);
        for (const listener of [...listeners]) listener();
      }
    }
  }
  void follow();

  return {
    connection,
    isConnected: () => isConnected && !connection.isClosed(),
    onBack(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => connection.close(),
  };
}

/**
 * Keeps the process alive after an error of a socket that the driver has closed: the driver removes
 * its listeners first, and a late reset by the server, or its own late write, would be an uncaught
 * error. The sockets of the driver are the only ones of Node in a hub that have no listener; those
 * of Deno report an error as a rejected promise, which is no `error` event.
 */
function ignoreLateError(event: ErrorEvent): void {
  if (LATE_ERRORS.has(event.error?.code)) event.preventDefault();
}

const LATE_ERRORS: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** Says why a server is too old; undefined for a server that is new enough. */
export function versionRefusal(version: string): string | undefined {
  const parts = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [ours, oldest] = [parts(version), parts(OLDEST_SERVER)];
  const at = oldest.findIndex((number, index) => ours[index] !== number);
  if (at < 0 || ours[at]! > oldest[at]!) return undefined;
  return `expected nats-server ${OLDEST_SERVER} or later, got ${version}: an older one ` +
    `acknowledges what a power failure may still take back, as it has no "sync_interval: always"`;
}

/** The authentication of a hub: by an nkey, or by the credentials of an account. */
function authenticatorOf(credentials: string | undefined): ConnectionOptions {
  if (credentials === undefined) return {};
  const bytes = new TextEncoder().encode(credentials.trim());
  const isSeed = /^SU[A-Z2-7]+$/.test(credentials.trim());
  return { authenticator: isSeed ? nkeyAuthenticator(bytes) : credsAuthenticator(bytes) };
}

function tlsOf(servers: readonly string[], ca: string | undefined): ConnectionOptions {
  const isAsked = ca !== undefined || servers.some((server) => server.startsWith("tls:"));
  // Without options of its own the client would go on in plain text where a server offers no TLS.
  return isAsked ? { tls: ca === undefined ? {} : { ca } } : {};
}
