/**
 * A transport of your own: the whole protocol over a `MessagePort` instead of a network, such as to
 * a console in a worker. `serveOnPort` is the side of the service, `worldOn` that of the client.
 *
 * @module
 */
import type { Arrival, Service, Socket as ServiceSocket } from "../../mod.ts"; // "faderd"
import type { Socket, World } from "../../client/client.ts"; // "faderd-client"

/** The end of a connection, which is sent as an object; all else is text. */
interface Ending {
  readonly code: number;
  readonly reason: string;
}

/** The states of a WebSocket by their numbers: Node 20 has no class of that name. */
const OPEN = 1;
const CLOSED = 3;

/** The request that asks for a WebSocket. */
function handshake(): Request {
  const request = new Request("http://localhost/api/ws");
  const headers = new Headers({ host: "localhost", connection: "upgrade", upgrade: "websocket" });
  // A browser drops these headers from a request that is made with them.
  return Object.defineProperty(request, "headers", { value: headers });
}

/**
 * Serves one client at the other end of a port. `client` stands for the address of a connection: the
 * limits per client count by it.
 */
export async function serveOnPort(
  service: Service,
  port: MessagePort,
  client: string,
): Promise<void> {
  const upgrade: Arrival["upgrade"] = (open) => {
    const socket: ServiceSocket = {
      send: (text) => port.postMessage(text),
      close: (code, reason) => end({ code, reason }),
      // A port does not say how much waits in it.
      bufferedAmount: 0,
    };
    const listener = open(socket);
    let isOver = false;
    function end(ending: Ending): void {
      if (isOver) return;
      isOver = true;
      port.postMessage(ending);
      port.close();
      listener.closed(ending.code, ending.reason);
    }
    port.onmessage = ({ data }: MessageEvent<string | Ending>) => {
      if (typeof data === "string") listener.receive(data);
      else end(data);
    };
    return new Response();
  };
  const answer = await service({ request: handshake(), client, upgrade });
  if (answer.status !== 200) throw new Error(`refused with status ${answer.status}`);
}

/** The world of a client that opens a port instead of a WebSocket; `connect` takes it as an option. */
export function worldOn(open: () => MessagePort): World {
  return {
    open: () => socketOn(open()),
    after(ms, wake) {
      const timeout = setTimeout(wake, ms);
      return () => clearTimeout(timeout);
    },
    random: Math.random,
    online: () => () => {},
  };
}

function socketOn(port: MessagePort): Socket {
  let isOver = false;
  const socket: Socket = {
    get readyState() {
      return isOver ? CLOSED : OPEN;
    },
    bufferedAmount: 0,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send: (data) => port.postMessage(data),
    close: (code = 1000, reason = "") => {
      if (!isOver) port.postMessage({ code, reason });
    },
  };
  // The client calls none of these as methods of a WebSocket.
  const ofClient = socket as unknown as Record<
    "onopen" | "onmessage" | "onclose",
    (event: object) => void
  >;
  port.onmessage = ({ data }: MessageEvent<string | Ending>) => {
    if (typeof data === "string") return ofClient.onmessage?.({ data });
    isOver = true;
    port.close();
    ofClient.onclose?.(data);
  };
  queueMicrotask(() => ofClient.onopen?.({}));
  return socket;
}
