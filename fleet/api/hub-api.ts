/**
 * The interfaces of the hub itself: its control API at `/api/ws` and `/api/rest`, and its page at
 * `/`. It does not answer paths below `/consoles/` and `/uplink/`.
 *
 * @module
 */
import type { Clock, Random } from "../../core/ports.ts";
import type { Arrival, HttpRequest } from "../../transport/arrival.ts";
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import { createViewAnswers, type View } from "../../transport/view.ts";
import { GOING_AWAY } from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { createBatches } from "../batches/batch.ts";
import { createDrift } from "../drift/comparison.ts";
import type { Backups } from "../backups/fleet-backups.ts";
import { createClientSockets, isWebSocketPath, refuseForeignPage } from "../hub/client-sockets.ts";
import type { HubCore } from "../hub/hub-core.ts";
import type { Person } from "../hub/rights.ts";
import { answerBackup } from "./backup-download.ts";
import { answerForBatches } from "./batches-elsewhere.ts";
import { createConsoleLinks } from "./console-links.ts";
import { createFleetTree } from "./fleet-tree.ts";
import { createHubRest } from "./rest.ts";
import { createHubSockets, MESSAGE_BYTES, type SocketsWorld } from "./sockets.ts";

/** The ports of the API of a hub, and the content that it serves. */
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

/** The interfaces of the hub itself. */
export interface HubApi {
  /** Answers a request; undefined for any other path. */
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

/** Makes the interfaces of the hub itself. */
export function createHubApi(core: HubCore, world: HubApiWorld): HubApi {
  const tree = createFleetTree(core, world);
  const links = createConsoleLinks(core, world.timer);
  const batches = createBatches(core, world);
  const stopAnswering = answerForBatches(core, batches);
  const drift = createDrift({ ...world, core, links });
  const { backups } = world;
  const parts = { core, tree, links, batches, drift, backups };
  const sockets = createHubSockets(parts, world);
  const rest = createHubRest(parts, world);
  const answerFile = createViewAnswers();
  const clients = createClientSockets(core, CONNECTIONS);

  return {
    answer(asked, upgrade) {
      const { pathname } = asked.url;
      if (isWebSocketPath(pathname)) {
        const listen = (socket: Socket, user: Person | undefined) =>
          sockets.open(socket, asked.client, user);
        return clients.open(asked, upgrade, MESSAGE_BYTES, listen);
      }
      const file = world.view?.get(pathname);
      if (file !== undefined) return answerFile(asked, file);
      const archive = answerBackup(core, backups, asked);
      if (archive !== undefined) return archive;
      if (pathname !== CONTROL_API_PATH && !pathname.startsWith(`${CONTROL_API_PATH}/`)) {
        return undefined;
      }
      return refuseForeignPage(asked.request) ?? rest(asked);
    },
    connections: clients.count,
    close() {
      sockets.closeAll(GOING_AWAY, "the hub stops");
      links.close();
      stopAnswering();
      batches.close();
      tree.close();
    },
  };
}
