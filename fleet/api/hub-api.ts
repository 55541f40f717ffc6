/**
 * What a hub serves of its own: its control API at `/api/ws` and `/api/rest`, and its page at `/`.
 * What is below `/consoles/` and `/uplink/` it does not answer.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import type { Clock, Random } from "../../core/ports.ts";
import type { Arrival, HttpRequest, Listener } from "../../transport/arrival.ts";
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import { createCounts } from "../../transport/counts.ts";
import { refused, refusedEitherWay } from "../../transport/json.ts";
import { isForeignPage, mayOpenWebSocket, originRefusal } from "../../transport/origin.ts";
import { tokenBeside, unauthorized } from "../../transport/request-token.ts";
import { createViewAnswers, type View } from "../../transport/view.ts";
import { GOING_AWAY, TRY_AGAIN_LATER } from "../../transport/websocket/close-codes.ts";
import { WEBSOCKET_PATH } from "../../transport/websocket/open.ts";
import type { Socket } from "../../transport/websocket/outbox.ts";
import { createBatches } from "../batches/batch.ts";
import { createDrift } from "../drift/comparison.ts";
import type { Backups } from "../backups/fleet-backups.ts";
import type { HubCore } from "../hub/hub-core.ts";
import type { Person } from "../hub/rights.ts";
import { answerBackup } from "./backup-download.ts";
import { answerForBatches } from "./batches-elsewhere.ts";
import { createConsoleLinks } from "./console-links.ts";
import { createFleetTree } from "./fleet-tree.ts";
import { createHubRest } from "./rest.ts";
import { createHubSockets, MESSAGE_BYTES, type SocketsWorld } from "./sockets.ts";

/** The ports of the API of a hub, and what it serves. */
export interface HubApiWorld extends SocketsWorld {
  readonly clock: Clock;
  readonly random: Random;
  /** The version of faderd. */
  readonly version: string;
  /** Undefined where the hub makes no backups. */
  readonly backups?: Backups | undefined;
  /** The files of the Fleet page; without them nothing is at `/`. */
  readonly view?: View | undefined;
}

/** What a hub serves of its own. */
export interface HubApi {
  /** Answers a request; undefined for a path that is not one of these. */
  answer(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Response | Promise<Response> | undefined;
  /** Returns the number of open WebSockets. */
  connections(): number;
  close(): void;
}

/** Maximum number of WebSockets of all clients, and of one address. */
const CONNECTIONS = { all: 1000, ofAddress: 100 };

/** Makes what a hub serves of its own. */
export function createHubApi(core: HubCore, world: HubApiWorld): HubApi {
  const tree = createFleetTree(core, world);
  const links = createConsoleLinks(core, world.timer);
  const batches = createBatches(core, world);
  const stopAnswering = answerForBatches(core, batches);
  const drift = createDrift(core, { ...world, links });
  const { backups } = world;
  const parts = { core, tree, links, batches, drift, backups };
  const sockets = createHubSockets(parts, world);
  const rest = createHubRest(parts, world);
  const answerFile = createViewAnswers();
  const fromAddress = createCounts();

  async function openWebSocket(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Promise<Response> {
    const { request, client } = asked;
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      const refusal = refuse("webSocketOnly", `${WEBSOCKET_PATH} is for WebSockets`);
      return refused(426, refusal, { upgrade: "websocket" });
    }
    if (!mayOpenWebSocket(request, [])) return refused(403, originRefusal(request));
    const token = tokenBeside(asked);
    const user = token === undefined ? undefined : await core.authenticate(token, client);
    if (user !== undefined && isRefusal(user)) return unauthorized(user);
    if (isFull(client)) {
      return refused(503, refuse("limitReached", FULL), { "retry-after": "5" });
    }
    return await upgrade((socket) => {
      // Concurrent handshakes may exceed the limits, so they are checked again.
      if (!isFull(client)) return listenerOf(socket, client, user);
      socket.close(TRY_AGAIN_LATER, FULL);
      return DEAF;
    }, () => MESSAGE_BYTES);
  }

  function listenerOf(
    socket: Socket,
    client: string,
    user: Person | undefined,
  ): Listener {
    fromAddress.add(client);
    const listener = sockets.open(socket, client, user);
    return {
      ...listener,
      closed() {
        fromAddress.remove(client);
        listener.closed();
      },
    };
  }

  function isFull(client: string): boolean {
    return sockets.count() >= CONNECTIONS.all || fromAddress.of(client) >= CONNECTIONS.ofAddress;
  }

  return {
    answer(asked, upgrade) {
      const { pathname } = asked.url;
      if (pathname === WEBSOCKET_PATH || pathname === `${WEBSOCKET_PATH}/`) {
        return openWebSocket(asked, upgrade);
      }
      const file = world.view?.get(pathname);
      if (file !== undefined) return answerFile(asked, file);
      const archive = answerBackup(core, backups, asked);
      if (archive !== undefined) return archive;
      if (pathname !== CONTROL_API_PATH && !pathname.startsWith(`${CONTROL_API_PATH}/`)) {
        return undefined;
      }
      if (isForeignPage(asked.request, [])) {
        return refusedEitherWay(403, refuse("noRight", "a page of another site may not"));
      }
      return rest(asked);
    },
    connections: sockets.count,
    close() {
      sockets.closeAll(GOING_AWAY, "the hub stops");
      links.close();
      stopAnswering();
      batches.close();
      tree.close();
    },
  };
}

const FULL = "there are too many connections already";

const DEAF: Listener = { receive() {}, closed() {} };
