/**
 * The service of a hub: for consoles that dial it, for clients of consoles, and for the API and the
 * page of the hub itself.
 *
 * @module
 */
import { refuse } from "../../core/errors.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { createAnswerBody, STREAM_WHOLE_BYTES } from "../../transport/answer-body.ts";
import { type Arrival, clientOf, type HttpRequest, type Service } from "../../transport/arrival.ts";
import type { Budget } from "../../transport/budget.ts";
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import { ACTION_PATH } from "../../transport/action-api/action-api.ts";
import { createCounts } from "../../transport/counts.ts";
import { HEALTH_PATH } from "../../transport/health.ts";
import { isAllowedHost, misdirected, parsedUrl } from "../../transport/host.ts";
import { createBodyReader } from "../../transport/intake/body.ts";
import { notFound, refused } from "../../transport/json-answers.ts";
import { METRICS_PATH } from "../../transport/metrics.ts";
import { PICTURE_PATH } from "../../transport/pictures.ts";
import { createViewAnswers, type View } from "../../transport/view.ts";
import { answerEnrolment, openControl, openTicketSocket } from "./answer-consoles.ts";
import { answerHealth, answerMetrics } from "./answer-monitoring.ts";
import { createClientSockets, isWebSocketPath, refuseForeignPage } from "./client-sockets.ts";
import { guarded } from "./guarded-listener.ts";
import type { Hub } from "./hub.ts";
import { CLIENTS, CLIENTS_PER_ADDRESS, MESSAGE_BYTES, REQUESTS_PER_ADDRESS } from "./hub-limits.ts";
import { relayRequest } from "./relayed-request.ts";
import { relay } from "./relayed-socket.ts";
import { UPLINK_PATHS } from "../wire.ts";

/** The parts of the service of a hub. */
export interface HubServiceParts {
  readonly hub: Hub;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  /** Whether the last address of `X-Forwarded-For` is the address of the client. */
  readonly trustProxy: boolean;
  /** The names by which browsers may call the hub if callers without a token reach consoles. */
  readonly hosts?: readonly string[] | undefined;
  /** The name of the machine in its network. */
  readonly machineName?: string | undefined;
  /**
   * The files of the device view, which shows the consoles; without them there is no device view.
   */
  readonly view?: View | undefined;
  /** Makes the answer of `GET /metrics`; without it that path is not found. */
  readonly metrics?: (() => string) | undefined;
  /** Answers for the hub itself; undefined for a path that it does not have. */
  readonly own?:
    | ((
      asked: HttpRequest,
      upgrade: Arrival["upgrade"],
    ) => Response | Promise<Response> | undefined)
    | undefined;
  onFault(fault: unknown): void;
}

/** The path of a console: its id, and the rest. */
const CONSOLE_PATH = /^\/consoles\/([0-9a-f]{32})(\/.*)?$/;

/** The paths of a console over HTTP that clients reach through the hub. */
const RELAYED = [`${CONTROL_API_PATH}/`, ACTION_PATH, PICTURE_PATH];

/** Makes the service of a hub. */
export function createHubService(parts: HubServiceParts): Service {
  const { hub, timer, scheduler, budget, trustProxy, view, own, onFault } = parts;
  const names = { device: { name: "localhost" }, hosts: parts.hosts ?? [] };
  const bodyOf = createAnswerBody(budget.sendBuffers, timer);
  const bodyOfStream = createAnswerBody(budget.sendBuffers, timer, STREAM_WHOLE_BYTES);
  const readBody = createBodyReader(timer, scheduler, budget);
  const answerFile = createViewAnswers();
  const requests = createCounts();
  const clients = createClientSockets(hub, { all: CLIENTS, ofAddress: CLIENTS_PER_ADDRESS });

  /** Opens a WebSocket of a client to a console. */
  function clientSocket(
    id: string,
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Promise<Response> {
    const quota = budget.sendBuffers;
    return clients.open(
      asked,
      upgrade,
      MESSAGE_BYTES,
      (socket, user) => {
        const relayed = relay({ hub, id, from: asked.client, user, timer, quota }, socket);
        return { ...guarded(relayed, socket, onFault), isStranger: relayed.isStranger };
      },
    );
  }

  /**
   * Says whether a request is meant for this hub. If everything needs a token, the token proves
   * that; otherwise a page of another site could let its own host name lead here (DNS rebinding).
   */
  function isCalledByName(request: Request): boolean {
    return hub.anonymous === "none" || isAllowedHost(request, names, parts.machineName);
  }

  function answerConsole(
    id: string,
    rest: string | undefined,
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Response | Promise<Response> {
    // The page's relative addresses need a path that ends with a slash.
    if (rest === undefined) {
      return new Response(null, { status: 308, headers: { location: `${id}/` } });
    }
    if (isWebSocketPath(rest)) {
      if (!isCalledByName(asked.request)) return misdirected(asked.request);
      return clientSocket(id, asked, upgrade);
    }
    const file = view?.get(rest);
    if (file !== undefined) return answerFile(asked, file);
    if (!isCalledByName(asked.request)) return misdirected(asked.request);
    if (rest !== CONTROL_API_PATH && !RELAYED.some((path) => rest.startsWith(path))) {
      return notFound(asked.url.pathname);
    }
    return refuseForeignPage(asked.request) ??
      relayRequest(hub, { readBody, scheduler }, id, rest, asked);
  }

  function answer(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Response | Promise<Response> {
    const { pathname } = asked.url;
    if (pathname === HEALTH_PATH) return answerHealth(hub, asked.request);
    if (pathname === UPLINK_PATHS.enrol) return answerEnrolment(hub, readBody, asked);
    if (pathname === UPLINK_PATHS.control) return openControl({ hub, asked, upgrade, onFault });
    if (pathname.startsWith(UPLINK_PATHS.ticket)) {
      const ticket = pathname.slice(UPLINK_PATHS.ticket.length);
      return openTicketSocket({ hub, asked, upgrade, onFault }, ticket);
    }
    const [, id, rest] = CONSOLE_PATH.exec(pathname) ?? [];
    if (id !== undefined) return answerConsole(id, rest, asked, upgrade);
    const isData = pathname.startsWith("/api/") || pathname === METRICS_PATH;
    if (isData && !isCalledByName(asked.request)) {
      return misdirected(asked.request);
    }
    if (pathname === METRICS_PATH && parts.metrics !== undefined) {
      return answerMetrics(hub, asked, parts.metrics);
    }
    return own?.(asked, upgrade) ?? notFound(pathname);
  }

  return async (arrival) => {
    const { request, upgrade, delivery, isStream = false } = arrival;
    const url = parsedUrl(request.url);
    if (url === undefined) {
      return refused(400, refuse("malformed", `the request has no valid "Host"`));
    }
    const client = clientOf(request, arrival.client, trustProxy);
    const { pathname, search } = url;
    const asked: HttpRequest = {
      request,
      url: { pathname, search, sentPath: pathname, isAllowed: true },
      client,
      waits: false,
      bodyOf: isStream ? bodyOfStream : bodyOf,
    };
    // A thousand consoles may be behind one address, and all of them come at once; a request with
    // neither a token nor a ticket is answered late.
    const isConsoles = pathname.startsWith(UPLINK_PATHS.ticket) ||
      pathname === UPLINK_PATHS.control;
    if (isConsoles) return await answer(asked, upgrade);
    if (requests.of(client) >= REQUESTS_PER_ADDRESS) {
      return refused(503, refuse("limitReached", "too many requests at a time"), {
        "retry-after": "1",
      });
    }
    requests.add(client);
    const leave = () => requests.remove(client);
    try {
      const answered = await answer(asked, upgrade);
      // An answer is read only as fast as its client reads, so the request counts until it is
      // delivered.
      if (delivery !== undefined && answered.body !== null) delivery.completed.then(leave, leave);
      else leave();
      return answered;
    } catch (fault) {
      leave();
      throw fault;
    }
  };
}
