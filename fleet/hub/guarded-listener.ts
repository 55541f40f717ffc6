/**
 * Listeners of sockets: a fault of a listener ends only its own socket.
 *
 * @module
 */
import type { Listener } from "../../transport/arrival.ts";
import { INTERNAL_ERROR } from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";

/** The listener of a socket that is closed already: it ignores everything. */
export const DEAF: Listener = { receive() {}, closed() {} };

/** Returns a listener that closes the socket when the given listener throws. */
export function guarded(
  listener: Listener,
  socket: Socket,
  onFault: (fault: unknown) => void,
): Listener {
  return {
    receive(data) {
      try {
        listener.receive(data);
      } catch (fault) {
        socket.close(INTERNAL_ERROR, "the hub failed", fault);
      }
    },
    closed(code, reason) {
      try {
        listener.closed(code, reason);
      } catch (fault) {
        onFault(fault);
      }
    },
  };
}
