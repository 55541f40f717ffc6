/**
 * The only file that knows how Deno serves HTTP and WebSockets.
 *
 * @module
 */
import type { Tls } from "../core/backup/tls.ts";
import { json } from "./json.ts";
import type { Arrival, Service } from "./service.ts";
import type { Socket } from "./outbox.ts";

/** Seconds without an answer to a ping after which a WebSocket client is taken for dead. */
const IDLE_TIMEOUT_S = 30;

/** Where to listen. */
export interface Address {
  readonly hostname: string;
  /** 0 is any that is free. */
  readonly port: number;
}

/** A server, listening. */
export interface Server {
  /** The address that was really bound. */
  readonly address: Address;
  /** Takes no more requests, and resolves when those under way are answered. */
  stop(): Promise<void>;
}

/** What a server behind a TLS front knows beside its address. */
export interface BehindFront {
  readonly tls: Tls;
  /** The address that a connection from this port of the front really came from. */
  clientAt(port: number): string | undefined;
}

/** Listens, and serves; throws where the address cannot be had. `onFault` is told of our own faults. */
export function listen(
  { hostname, port }: Address,
  service: Service,
  onFault: (fault: unknown) => void,
  behind?: BehindFront,
): Server {
  const server = Deno.serve({
    hostname,
    port,
    ...(behind === undefined ? {} : { cert: behind.tls.certificate, key: behind.tls.key }),
    onListen() {},
    onError(fault) {
      onFault(fault);
      return json({ error: { message: "the service failed to answer; its log says why" } }, 500);
    },
  }, (request, { remoteAddr }) => {
    return service({
      request,
      client: behind?.clientAt(remoteAddr.port) ?? remoteAddr.hostname,
      upgrade: (open) => upgrade(request, open, onFault),
    });
  });
  const { addr } = server;
  return {
    address: { hostname: addr.hostname, port: addr.port },
    stop: () => server.shutdown(),
  };
}

type Open = Parameters<Arrival["upgrade"]>[0];

function upgrade(request: Request, open: Open, onFault: (fault: unknown) => void): Response {
  const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: IDLE_TIMEOUT_S });
  socket.binaryType = "arraybuffer";
  const listener = open(sending(socket));
  socket.onmessage = ({ data }) => {
    try {
      listener.message(data);
    } catch (fault) {
      onFault(fault);
      socket.close(1011, "the service failed to answer");
    }
  };
  socket.onclose = () => listener.closed();
  return response;
}

/** A socket that takes what is sent after its end in silence: the close event is on its way. */
function sending(socket: WebSocket): Socket {
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    // Closed from within `onmessage`, Deno 2.9 drops a connection without telling the code.
    close: (code, reason) => void setTimeout(() => socket.close(code, reason), 0),
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
  };
}
