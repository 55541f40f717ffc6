/**
 * The service as one function from a request to a response, written against web standards. What is
 * no web standard (upgrading to a WebSocket, the client's address) comes in as a port.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { type Device, noDevice } from "../core/backup/device.ts";
import type { Console } from "../core/console.ts";
import { isRefusal, refuse } from "../core/errors.ts";
import type { Clock, Pacer } from "../core/ports.ts";
import { endingUnread, saysLong } from "./intake/body.ts";
import { CONTROL_API_PATH, controlApi } from "./control-api/control-api.ts";
import { forOrigin, preflight } from "./cors.ts";
import { clientOf } from "./client.ts";
import { json } from "./json.ts";
import { isForeignPage, listedOrigin, mayOpenWebSocket } from "./origin.ts";
import type { Socket } from "./websocket/outbox.ts";
import { TRY_AGAIN_LATER } from "./websocket/session.ts";
import type { Sessions } from "./websocket/sessions.ts";
import { picture, PICTURE_PATH } from "./pictures.ts";
import { ACTION_PATH, createRestApi } from "./action-api/action-api.ts";
import { type RequestTarget, targetOf } from "./target.ts";
import { actorOf, tokenBeside, unauthorized } from "./token.ts";
import { createTreeRate } from "./tree-rate.ts";

/** Where WebSockets are opened; a trailing slash is allowed. */
export const WEBSOCKET_PATH = "/api/ws";

/** One request, with what the platform knows beside it. */
export interface Arrival {
  readonly request: Request;
  /** The address it came from. */
  readonly client: string;
  /**
   * Makes a WebSocket of it. `open` is called with the socket once the handshake is done, which may
   * be never: until then there is no connection. It answers what hears from the socket.
   */
  upgrade(open: (socket: Socket) => Listener): Response | Promise<Response>;
}

/** Hears from a socket. */
export interface Listener {
  message(data: unknown): void;
  closed(): void;
}

/** What a service is made of. */
export interface ServiceOptions {
  readonly console: Console;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly pacer: Pacer;
  /** Without one, certificates are not checked and nobody is told of restored settings. */
  readonly device?: Device;
}

/** Answers whatever arrives. */
export type Service = (arrival: Arrival) => Response | Promise<Response>;

/** Makes the service of a console. */
export function createService(options: ServiceOptions): Service {
  const { console, sessions, clock, pacer, device = noDevice } = options;
  const actions = createRestApi(console, { clock, device, pacer, macs: new Map() });
  let treeRate = rateOf(console.state.configuration);

  function address({ request, client }: Arrival): string {
    return clientOf(request, client, console.state.configuration.limits.rest.trustProxy);
  }

  function admits(client: string): boolean {
    const { configuration } = console.state;
    if (treeRate.configuration !== configuration) treeRate = rateOf(configuration);
    return treeRate.admits(client, clock.monotonic());
  }

  function openWebSocket(
    arrival: Arrival,
    target: RequestTarget,
  ): Response | Promise<Response> {
    const { request, upgrade } = arrival;
    const { limits, websocket } = console.state.configuration;
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      const message = `${WEBSOCKET_PATH} is for WebSockets`;
      return json({ error: refuse("webSocketOnly", message) }, 426, { upgrade: "websocket" });
    }
    if (!mayOpenWebSocket(request, websocket.origins)) {
      const origin = request.headers.get("origin");
      return json(
        { error: refuse("noRight", `origin ${origin} is not in websocket.origins`) },
        403,
      );
    }
    const actor = actorOf(console.state, tokenBeside(request, target));
    if (isRefusal(actor)) return unauthorized(actor);
    const full = `there are ${limits.connections} connections already`;
    if (sessions.count >= limits.connections) {
      return json({ error: refuse("limitReached", full) }, 503, { "retry-after": "5" });
    }
    const peer = { address: address(arrival), user: actor.user };
    return upgrade((socket) => {
      const session = sessions.open(socket, { ...peer, since: clock.now() });
      // Of handshakes that were under way together, more may be done than there was room for.
      if (sessions.count > limits.connections) session.close(TRY_AGAIN_LATER, full);
      return {
        message: (data) => session.receive(data),
        closed: () => sessions.closed(session),
      };
    });
  }

  function respond(arrival: Arrival): Response | Promise<Response> {
    const { request } = arrival;
    const target = targetOf(request.url);
    const { pathname } = target;
    if (pathname === WEBSOCKET_PATH || pathname === `${WEBSOCKET_PATH}/`) {
      return openWebSocket(arrival, target);
    }
    const { origins } = console.state.configuration.restApi;
    // Mostly none is listed: to look for a header takes as long as much else of a small request.
    if (origins.length === 0) return respondOverHttp(arrival, target);
    const origin = listedOrigin(request, origins);
    if (origin !== undefined && request.method === "OPTIONS") return preflight(origin);
    const response = respondOverHttp(arrival, target);
    return response instanceof Response
      ? forOrigin(response, request, origin)
      : response.then((answered) => forOrigin(answered, request, origin));
  }

  function respondOverHttp(
    arrival: Arrival,
    target: RequestTarget,
  ): Response | Promise<Response> {
    const { request } = arrival;
    const { limits, restApi } = console.state.configuration;
    const { pathname } = target;
    if (pathname.startsWith(PICTURE_PATH)) return picture(console, request, target);
    if (isForeignPage(request, restApi.origins)) {
      const error = refuse("noRight", "a page of another site may not; see restApi.origins");
      return json({ error, Error: error.message }, 403);
    }
    if (pathname === CONTROL_API_PATH || pathname.startsWith(`${CONTROL_API_PATH}/`)) {
      if (request.method === "GET" && !admits(address(arrival))) {
        const message = `expected at most ${limits.tree.perSecond} requests a second`;
        return json({ error: refuse("limitReached", message) }, 503, { "retry-after": "1" });
      }
      return controlApi(console, request, target, { pacer, clients: sessions.clients });
    }
    if (pathname.startsWith(ACTION_PATH)) {
      return actions({ request, target, client: address(arrival) });
    }
    return json({ error: refuse("noSuchObject", `nothing is at ${pathname}`) }, 404);
  }

  function take(arrival: Arrival): Response | Promise<Response> {
    const { request } = arrival;
    if (!saysLong(request)) return respond(arrival);
    const response = respond(arrival);
    return response instanceof Response
      ? endingUnread(request, response)
      : response.then((answered) => endingUnread(request, answered));
  }

  return (arrival) => pacer.pause()?.then(() => take(arrival)) ?? take(arrival);
}

function rateOf(configuration: Configuration) {
  return { configuration, admits: createTreeRate(configuration.limits.tree.perSecond) };
}
