/**
 * Serves HTTP and WebSockets in Deno. This is the only file that calls `Deno.serve`.
 *
 * @module
 */
import type { Tls } from "../../core/backup/tls.ts";
import { refuse } from "../../core/errors.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Arrival, Listener } from "../../transport/arrival.ts";
import { failure, refused } from "../../transport/json-answers.ts";
import type { Address, Server, ServerParts } from "../../transport/server.ts";
import { refuseHandshake } from "../../transport/websocket/handshake.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { type Closing, createClosing } from "../closing.ts";
import { dropSocket } from "./drop-socket.ts";
import type { FrontConnection } from "./front-connection.ts";
import { endingUnread, saysLong, UNWANTED_BODY } from "./unread-body.ts";

/**
 * Seconds without a whole message or the answer to a ping after which a WebSocket client is taken
 * for dead. Deno pings it after half of them, and closes with 1001 "No response from ping frame.".
 */
const IDLE_TIMEOUT_S = 30;

export type { Address, Server, ServerParts } from "../../transport/server.ts";

/** The options of a server behind a TLS front, besides its address. */
export interface BehindFront {
  readonly tls: Tls;
  /** The connection from this port of the front. */
  connectionAt(port: number): FrontConnection | undefined;
}

/**
 * Time in ms after which the service listens again, once the machine could take no more
 * connections.
 */
export const LISTEN_AGAIN_MS = 1000;

/**
 * Listens, and serves; throws if the address is not available. When the machine can take no more
 * connections, Deno stops listening (tests/program/descriptors.test.ts); then this listens again.
 */
export function listen(address: Address, parts: ServerParts, behind?: BehindFront): Server {
  const { timer, onFault } = parts;
  let stopped = false;
  let server = serveOnce(address, parts, behind);
  const { addr } = server;
  const bound = { hostname: addr.hostname, port: addr.port };

  function watch(): void {
    server.finished.catch((fault) => {
      onFault(fault);
      after(timer, LISTEN_AGAIN_MS, again);
    });
  }

  function again(): void {
    if (stopped) return;
    try {
      server = serveOnce(bound, parts, behind);
      watch();
    } catch (fault) {
      onFault(fault);
      after(timer, LISTEN_AGAIN_MS, again);
    }
  }

  watch();
  return {
    address: bound,
    async stop() {
      stopped = true;
      await server.shutdown();
    },
  };
}

function serveOnce(
  { hostname, port }: Address,
  { service, timer, onFault }: ServerParts,
  behind: BehindFront | undefined,
): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({
    hostname,
    port,
    ...(behind === undefined ? {} : { cert: behind.tls.certificate, key: behind.tls.key }),
    onListen() {},
    onError(fault) {
      if (fault !== UNWANTED_BODY) onFault(fault);
      return failure();
    },
  }, (request, info) => {
    const { remoteAddr } = info;
    const isStream = !request.headers.has("host");
    const connection = behind?.connectionAt(remoteAddr.port);
    if (behind === undefined) {
      if (isStream) return refuseHttp2(request);
    } else if (connection === undefined) return refuseUnknown(request);
    const answered = service({
      request,
      client: connection?.client ?? remoteAddr.hostname,
      delivery: info,
      isStream,
      upgrade: (open, longest) =>
        upgrade(request, follow(open, longest, connection), timer, onFault),
    });
    connection?.asked(answered, request.method !== "GET");
    return saysLong(request) ? endingUnread(request, answered, timer) : answered;
  });
}

/**
 * Refuses a request of HTTP/2 without TLS, which Deno always accepts and only attacks use: one
 * connection may have any number of streams. Such a request has no `Host`. Its stream ends with its
 * body; over TLS browsers choose HTTP/2, and the front counts the memory of each connection.
 */
function refuseHttp2(request: Request): Response {
  request.body?.cancel().catch(() => {});
  return refused(505, refuse("malformed", "expected HTTP/1.1 with a Host"));
}

/**
 * Refuses a request that bypassed the front, or came so late that the front has forgotten its
 * client: the limits and the audit trail need the address of the client.
 */
function refuseUnknown(request: Request): Response {
  request.body?.cancel().catch(() => {});
  return refused(403, refuse("noRight", "expected a request through the TLS front"));
}

/** Reports a WebSocket and its messages to the front. */
function follow(
  open: (socket: Socket) => Listener,
  longest: () => number,
  connection: FrontConnection | undefined,
): (socket: Socket) => Listener {
  if (connection === undefined) return open;
  return (socket) => {
    connection.opened(longest);
    const listener = open(socket);
    return {
      receive(data) {
        connection.heard();
        listener.receive(data);
      },
      closed: (code, reason) => listener.closed(code, reason),
    };
  };
}

/**
 * Upgrades a request to a WebSocket. If a client ends its connection before it has the answer, the
 * socket emits neither `open` nor any other event: so nothing is held for a handshake, and whatever
 * has to be released begins with `open`.
 */
async function upgrade(
  request: Request,
  open: Parameters<Arrival["upgrade"]>[0],
  timer: Timer,
  onFault: (fault: unknown) => void,
): Promise<Response> {
  const refused = refuseHandshake(request);
  if (refused !== undefined) return refused;
  if (await isGone(request, timer)) return new Response(null, { status: 400 });
  const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: IDLE_TIMEOUT_S });
  socket.binaryType = "arraybuffer";
  const closing = createClosing(timer, () => dropSocket(socket, onFault), onFault);
  let listener: Listener | undefined;
  socket.onopen = () => listener = open(sending(socket, timer, closing));
  socket.onmessage = ({ data }) => listener?.receive(data);
  socket.onclose = ({ code, reason }) => {
    closing.end();
    listener?.closed(code, reason);
  };
  return response;
}

/**
 * The waits, in ms, after which it is known whether a client that asked for a WebSocket has
 * disconnected again: such a client disconnects at once, so they are short. Deno tells of the end
 * of a connection some turns of the event loop after it has seen it; each of the last two waits is
 * one turn.
 */
const GO_AWAY_MS = [5, 0, 0];

/**
 * Whether the client has ended its connection. Where Deno 2.9 cannot write the answer to an
 * upgrade, it keeps the descriptor of that connection for ever (tests/program/sockets.test.ts).
 * (Without `no-legacy-abort` in deno.json, Deno would warn that somebody looks at `signal`.)
 */
async function isGone({ signal }: Request, timer: Timer): Promise<boolean> {
  for (const ms of GO_AWAY_MS) await new Promise<void>((resolve) => after(timer, ms, resolve));
  return signal.aborted;
}

/** A socket that silently ignores messages sent after its end: the close event is on its way. */
function sending(socket: WebSocket, timer: Timer, closing: Closing): Socket {
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    sendBytes(bytes) {
      if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
    },
    close(code, reason, fault) {
      // Closed from within `onmessage`, Deno 2.9 drops a connection without telling the code
      // (tests/transport/hostile.test.ts, with `socket.close` called at once).
      after(timer, 0, () => socket.close(code, reason));
      closing.begin(fault);
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
  };
}
