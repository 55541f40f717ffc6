/**
 * A WebSocket of the package `ws`, as a session sees one.
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { ReceiveBuffer } from "../../transport/receive-buffer.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { createClosing } from "../closing.ts";
// @ts-types="./ws.d.ts"
import { WebSocket } from "ws";

/**
 * Interval of pings in ms. A client that has not answered by the next ping counts as disconnected.
 */
const PING_MS = 15_000;

/**
 * Opens a session on a socket, and hands messages on to it. `held` counts the bytes of a message
 * that is not whole.
 */
export function openOn(
  socket: WebSocket,
  open: (socket: Socket) => Listener,
  timer: Timer,
  onFault: (fault: unknown) => void,
  held: ReceiveBuffer,
): void {
  let isAlive = true;
  let stopPinging = after(timer, PING_MS, ping);
  const closing = createClosing(timer, () => socket.terminate(), onFault);
  const listener = open({
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close(code, reason, fault) {
      socket.close(code, reason);
      closing.begin(fault);
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
  });

  function ping(): void {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
    stopPinging = after(timer, PING_MS, ping);
  }

  socket.on("pong", () => isAlive = true);
  socket.on("message", (data, isBinary) => {
    isAlive = true;
    held.whole(0);
    listener.receive(isBinary ? data : data.toString());
  });
  // A violation of the protocol by a client is not a fault of the service; `ws` closes the
  // connection, and waits 30 s.
  socket.on("error", () => closing.begin());
  socket.on("close", () => {
    stopPinging();
    closing.end();
    held.leave();
    listener.closed();
  });
}
