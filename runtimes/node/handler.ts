/**
 * The service for a server of `node:http` or `node:https`, with WebSockets by the package `ws`.
 *
 * @module
 */
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket as NetSocket } from "node:net";
import type { Duplex } from "node:stream";
import { refuse } from "../../core/errors.ts";
import type { Arrival } from "../../transport/arrival.ts";
import { failure, refused } from "../../transport/json-answers.ts";
import { createMemoryQuota } from "../../transport/memory-quota.ts";
import type { ServerParts } from "../../transport/server.ts";
import { countReceiveBuffer } from "../../transport/receive-buffer.ts";
import { refuseHandshake } from "../../transport/websocket/handshake.ts";
import { requestOf } from "./request.ts";
import { send } from "./response.ts";
import { openOn } from "./socket.ts";
// @ts-types="./ws.d.ts"
import { WebSocketServer } from "ws";

/** The listeners of a server of Node. */
export interface NodeHandler {
  /** Listener of the event `request`. */
  readonly request: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** Listener of the event `upgrade`. */
  readonly upgrade: (incoming: IncomingMessage, socket: Duplex, head: Uint8Array) => void;
}

/**
 * Makes the handler of a service, for the two events of a server:
 * `server.on("request", handler.request).on("upgrade", handler.upgrade)`.
 */
export function createNodeHandler(
  { service, timer, onFault, receiveBuffers = createMemoryQuota(() => Infinity) }: ServerParts,
): NodeHandler {
  async function answerOf(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    upgradeOf: (request: Request) => Arrival["upgrade"],
  ): Promise<Response> {
    try {
      const request = requestOf(incoming);
      const client = incoming.socket.remoteAddress ?? "";
      const delivery = deliveryOf(outgoing);
      return await service({ request, client, upgrade: upgradeOf(request), delivery });
    } catch (fault) {
      onFault(fault);
      return failure();
    }
  }

  return {
    request(incoming, outgoing) {
      answerOf(incoming, outgoing, noUpgrade)
        .then((response) => send(response, incoming, outgoing, timer))
        // A truncated answer must not look complete.
        .catch(() => outgoing.destroy());
    },
    upgrade(incoming, socket, head) {
      let isTaken = false;
      const outgoing = new ServerResponse(incoming);
      outgoing.shouldKeepAlive = false;
      outgoing.assignSocket(socket as NetSocket);
      outgoing.on("finish", () => socket.end());
      // A client that disconnects before the answer needs no answer.
      socket.on("error", () => {});
      const take: Arrival["upgrade"] = (open, longest) => {
        isTaken = true;
        outgoing.detachSocket(socket as NetSocket);
        webSocketsOf(longest()).handleUpgrade(incoming, socket, head, (webSocket) => {
          const address = incoming.socket.remoteAddress ?? "";
          const drop = () => webSocket.terminate();
          const held = countReceiveBuffer(receiveBuffers, address, 0, timer, drop);
          // This listener has to run before `ws` emits the messages that these bytes complete.
          socket.prependListener("data", (bytes: Uint8Array) => held.grew(bytes.length));
          openOn(webSocket, open, timer, onFault, held);
        });
        // A placeholder for the answer, which `ws` has sent itself.
        return new Response();
      };
      answerOf(incoming, outgoing, upgradeBy(take))
        .then((response) => isTaken ? undefined : send(response, incoming, outgoing, timer))
        .catch(() => socket.destroy());
    },
  };
}

function upgradeBy(take: Arrival["upgrade"]): (request: Request) => Arrival["upgrade"] {
  return (request) => (open, longest) => refuseHandshake(request) ?? take(open, longest);
}

/** Makes a server of WebSockets with messages of at most `longest` bytes. */
function webSocketsOf(longest: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: longest,
    perMessageDeflate: false,
    handleProtocols: () => false,
  });
}

/** Listens for the end of an answer only if `completed` is read. */
function deliveryOf(outgoing: ServerResponse): NonNullable<Arrival["delivery"]> {
  return {
    get completed() {
      return new Promise<void>((resolve) => {
        if (outgoing.destroyed) resolve();
        else outgoing.once("finish", resolve).once("close", resolve);
      });
    },
  };
}

/** Node emits `upgrade` instead of `request` for every request that can become a WebSocket. */
function noUpgrade(request: Request): Arrival["upgrade"] {
  const refusal = refuse("malformed", "expected a request to be upgraded, by HTTP/1.1");
  return () => refuseHandshake(request) ?? refused(400, refusal);
}
