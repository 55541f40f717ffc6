/**
 * The service for a Worker, or for a Durable Object: a function from a request to a response, with
 * WebSockets by `WebSocketPair`.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";
import type { Arrival } from "../../transport/arrival.ts";
import { failure } from "../../transport/json-answers.ts";
import type { ServerParts } from "../../transport/server.ts";
import { createClosing } from "../closing.ts";
import { switching, webSocketPair, type WorkerSocket } from "./platform.ts";

/** The states of a socket, because not every version of the platform has these constants. */
const OPEN = 1;
const CLOSED = 3;

/**
 * Makes the handler of a service. The address of a client is `CF-Connecting-IP`, which the platform
 * sets and no client can forge.
 */
export function createWorkerHandler(
  { service, timer, onFault }: ServerParts,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const client = request.headers.get("cf-connecting-ip") ?? "";
    const upgrade: Arrival["upgrade"] = (open) => {
      // The platform has checked the handshake.
      const [theirs, own] = webSocketPair();
      openOn(own, open, timer, onFault);
      return switching(theirs);
    };
    try {
      return await service({ request, client, upgrade });
    } catch (fault) {
      onFault(fault);
      return failure();
    }
  };
}

/** Opens a session on a socket, and passes messages to it. */
function openOn(
  socket: WorkerSocket,
  open: Parameters<Arrival["upgrade"]>[0],
  timer: Timer,
  onFault: (fault: unknown) => void,
): void {
  let isOver = false;
  const closing = createClosing(timer, over, onFault);
  socket.accept();
  const listener = open({
    send(text) {
      if (socket.readyState === OPEN) socket.send(text);
    },
    close(code, reason, fault) {
      if (socket.readyState === OPEN) socket.close(code, reason);
      closing.begin(fault);
    },
    // The platform does not report unread bytes.
    bufferedAmount: 0,
  });

  function over(): void {
    if (isOver) return;
    isOver = true;
    closing.end();
    listener.closed();
  }

  socket.addEventListener("message", ({ data }) => isOver || listener.receive(data));
  socket.addEventListener("close", () => {
    // Otherwise the client waits for the answer to its close frame.
    if (socket.readyState !== CLOSED) socket.close();
    over();
  });
  socket.addEventListener("error", over);
}
