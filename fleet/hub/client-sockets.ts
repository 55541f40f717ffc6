/**
 * The admission of clients to a hub, for its consoles and for its own API: the checks of a
 * WebSocket, the limits of their number, and the refusal of pages of other sites.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import type { Arrival, HttpRequest, Listener } from "../../transport/arrival.ts";
import { createCounts } from "../../transport/counts.ts";
import { refused, refusedEitherWay } from "../../transport/json-answers.ts";
import { isForeignPage, mayOpenWebSocket, originRefusal } from "../../transport/origin.ts";
import { tokenBeside, unauthorized } from "../../transport/request-token.ts";
import { TRY_AGAIN_LATER } from "../../transport/websocket/close-codes.ts";
import { WEBSOCKET_PATH } from "../../transport/websocket/open.ts";
import type { Socket } from "../../transport/websocket/outbox.ts";
import { DEAF } from "./guarded-listener.ts";
import type { HubCore } from "./hub-core.ts";
import type { Person } from "./rights.ts";

/** The WebSockets of clients. */
export interface ClientSockets {
  /**
   * Opens a socket, whose messages have at most `maxBytes`, and passes it to `listen` with the user
   * of the token in a header or the query of the request. The answer says why a socket was not
   * opened.
   */
  open(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
    maxBytes: number,
    listen: (socket: Socket, user: Person | undefined) => Listener,
  ): Promise<Response>;
  /** Returns the number of open sockets. */
  count(): number;
}

/** Makes the sockets of clients, none at first. */
export function createClientSockets(
  core: Pick<HubCore, "authenticate">,
  most: { readonly all: number; readonly ofAddress: number },
): ClientSockets {
  const ofAddress = createCounts();
  let count = 0;

  function isFull(client: string): boolean {
    return count >= most.all || ofAddress.of(client) >= most.ofAddress;
  }

  /** Counts a socket until it is closed. */
  function counted(client: string, listener: Listener): Listener {
    ofAddress.add(client);
    count++;
    return {
      receive: (data) => listener.receive(data),
      closed(code, reason) {
        ofAddress.remove(client);
        count--;
        listener.closed(code, reason);
      },
    };
  }

  return {
    count: () => count,
    async open(asked, upgrade, maxBytes, listen) {
      const { request, client } = asked;
      if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
        const refusal = refuse("webSocketOnly", `${WEBSOCKET_PATH} is for WebSockets`);
        return refused(426, refusal, { upgrade: "websocket" });
      }
      if (!mayOpenWebSocket(request, [])) return refused(403, originRefusal(request));
      if (isFull(client)) return refused(503, FULL, { "retry-after": "5" });
      const token = tokenBeside(asked);
      const user = token === undefined ? undefined : await core.authenticate(token, client);
      if (user !== undefined && isRefusal(user)) return unauthorized(user);
      return await upgrade((socket) => {
        // Concurrent handshakes may exceed the limits, so they are checked again.
        if (!isFull(client)) return counted(client, listen(socket, user));
        socket.close(TRY_AGAIN_LATER, FULL.message);
        return DEAF;
      }, () => maxBytes);
    },
  };
}

/** Says whether a path is the path of the WebSocket of a console, or of a hub. */
export function isWebSocketPath(path: string): boolean {
  return path === WEBSOCKET_PATH || path === `${WEBSOCKET_PATH}/`;
}

/** Refuses a request that a page of another site has sent; undefined for all other requests. */
export function refuseForeignPage(request: Request): Response | undefined {
  if (!isForeignPage(request, [])) return undefined;
  return refusedEitherWay(403, refuse("noRight", "a page of another site may send no requests"));
}

const FULL = refuse("limitReached", "there are too many connections already");
