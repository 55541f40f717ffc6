/**
 * The admission of clients to a hub, for its consoles and for its own API: the checks of a
 * WebSocket, the limits of their number, and the refusal of pages of other sites.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import { GIVING_WAY } from "../../core/limits.ts";
import type { Arrival, HttpRequest, Listener } from "../../transport/arrival.ts";
import { createCounts } from "../../transport/counts.ts";
import { refused, refusedEitherWay } from "../../transport/json-answers.ts";
import { isForeignPage, mayOpenWebSocket, originRefusal } from "../../transport/origin.ts";
import { tokenBeside, unauthorized } from "../../transport/request-token.ts";
import { TRY_AGAIN_LATER } from "../../transport/websocket/close-codes.ts";
import { WEBSOCKET_PATH } from "../../transport/websocket/open.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { DEAF } from "./guarded-listener.ts";
import type { HubCore } from "./hub-core.ts";
import type { Person } from "./rights.ts";

/** Receives the events of a client's socket. */
export interface ClientListener extends Listener {
  /** Whether no token of a user has come on it or with its request. */
  isStranger(): boolean;
}

/** The WebSockets of clients. */
export interface ClientSockets {
  /**
   * Opens a socket, whose messages have at most `maxBytes`, and passes it to `listen` with the user
   * of the token in a header or the query of the request. The answer says why a socket was not
   * opened. Where there is no place, the oldest socket of a stranger gives way: of the same
   * address, if that has too many. Where strangers are let in, they give way only to users.
   */
  open(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
    maxBytes: number,
    listen: (socket: Socket, user: Person | undefined) => ClientListener,
  ): Promise<Response>;
  /** Returns the number of open sockets, without those that gave way. */
  count(): number;
}

/** A socket of a client that is open. */
interface Client {
  readonly address: string;
  readonly socket: Socket;
  readonly listener: ClientListener;
}

/** Makes the sockets of clients, none at first. */
export function createClientSockets(
  core: Pick<HubCore, "authenticate" | "anonymous">,
  most: { readonly all: number; readonly ofAddress: number },
): ClientSockets {
  /** The oldest first. */
  const clients = new Set<Client>();
  const ofAddress = createCounts();
  /** The sockets that gave way but are not gone yet. */
  const leaving = createCounts();

  function isFull(address: string): boolean {
    return clients.size >= most.all || ofAddress.of(address) >= most.ofAddress;
  }

  /** Returns the socket that gives way to one of a user, or of a stranger, from an address. */
  function oldestStranger(address: string, user: Person | undefined): Client | undefined {
    if (core.anonymous === "console" && user === undefined) return undefined;
    const isOfAddress = ofAddress.of(address) >= most.ofAddress;
    return clients.values().find((one) =>
      (!isOfAddress || one.address === address) && one.listener.isStranger() &&
      (user !== undefined || leaving.of(one.address) < GIVING_WAY)
    );
  }

  function giveWay(client: Client): void {
    clients.delete(client);
    ofAddress.remove(client.address);
    leaving.add(client.address);
    client.socket.close(TRY_AGAIN_LATER, "a newer connection needs the place");
    client.listener.closed();
  }

  /** Counts a socket until it is closed. */
  function counted(client: Client): Listener {
    const { address, listener } = client;
    ofAddress.add(address);
    clients.add(client);
    return {
      receive: (data) => listener.receive(data),
      closed(code, reason) {
        if (!clients.delete(client)) return leaving.remove(address);
        ofAddress.remove(address);
        listener.closed(code, reason);
      },
    };
  }

  return {
    count: () => clients.size,
    async open(asked, upgrade, maxBytes, listen) {
      const { request, client } = asked;
      if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
        const refusal = refuse("webSocketOnly", `${WEBSOCKET_PATH} is for WebSockets`);
        return refused(426, refusal, { upgrade: "websocket" });
      }
      if (!mayOpenWebSocket(request, [])) return refused(403, originRefusal(request));
      const token = tokenBeside(asked);
      const user = token === undefined ? undefined : await core.authenticate(token, client);
      if (user !== undefined && isRefusal(user)) return unauthorized(user);
      if (isFull(client) && oldestStranger(client, user) === undefined) {
        return refused(503, FULL, { "retry-after": "5" });
      }
      return await upgrade((socket) => {
        // Only here, since the client may never finish the handshake, or several finish at once.
        const stranger = isFull(client) ? oldestStranger(client, user) : undefined;
        if (stranger !== undefined) giveWay(stranger);
        if (!isFull(client)) {
          return counted({ address: client, socket, listener: listen(socket, user) });
        }
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
