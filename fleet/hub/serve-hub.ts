/**
 * The service of a hub: consoles that dial it, clients that want a console, and the API and the page
 * of the hub itself.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import { createAnswerBody, STREAM_WHOLE_BYTES } from "../../transport/answer-body.ts";
import {
  type Arrival,
  clientOf,
  type HttpRequest,
  type Listener,
  type Service,
} from "../../transport/arrival.ts";
import type { Budget } from "../../transport/budget.ts";
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import { ACTION_PATH } from "../../transport/action-api/action-api.ts";
import { createCounts } from "../../transport/counts.ts";
import { HEALTH_PATH } from "../../transport/health.ts";
import { isAllowedHost, misdirected, parsedUrl } from "../../transport/host.ts";
import { createBodyReader } from "../../transport/intake/body.ts";
import { json, notFound, refused, refusedEitherWay, refuseMethod } from "../../transport/json.ts";
import { isForeignPage, mayOpenWebSocket, originRefusal } from "../../transport/origin.ts";
import { METRICS_MEDIA, METRICS_PATH } from "../../transport/metrics.ts";
import { PICTURE_PATH } from "../../transport/pictures.ts";
import { bearerToken, NO_TOKEN, tokenBeside, unauthorized } from "../../transport/request-token.ts";
import { createViewAnswers, type View } from "../../transport/view.ts";
import { TRY_AGAIN_LATER } from "../../transport/websocket/close-codes.ts";
import { WEBSOCKET_PATH } from "../../transport/websocket/open.ts";
import type { Socket } from "../../transport/websocket/outbox.ts";
import { readEnrolment } from "./frames.ts";
import type { Hub } from "./hub.ts";
import {
  CLIENTS,
  CLIENTS_PER_ADDRESS,
  ENROLMENT_BYTES,
  MESSAGE_BYTES,
  REQUESTS_PER_ADDRESS,
} from "./hub-limits.ts";
import { relayRequest } from "./relayed-request.ts";
import { relay } from "./relayed-socket.ts";
import { seesAll } from "./rights.ts";
import { type Enrolled, FRAME_BYTES, UPLINK_CLOSE, UPLINK_PATHS } from "../wire.ts";

/** The parts of the service of a hub. */
export interface HubServiceParts {
  readonly hub: Hub;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  /** Whether the last address of `X-Forwarded-For` is that of the client. */
  readonly trustProxy: boolean;
  /** The names by which browsers may call the hub where callers without a token reach consoles. */
  readonly hosts?: readonly string[] | undefined;
  /** The name of the machine in its network. */
  readonly machineName?: string | undefined;
  /** The files of the device view, which consoles are shown by; without them there is none. */
  readonly view?: View | undefined;
  /** Makes what `GET /metrics` answers; without it nothing is there. */
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

const TICKET = /^[0-9a-f]{32}$/;

/** What a console serves over HTTP that clients reach by the hub. */
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
  const clients = createCounts();
  let clientCount = 0;

  /** Enrols a console by a code. */
  async function enrol(asked: HttpRequest): Promise<Response> {
    const { request, client } = asked;
    const wrongMethod = refuseMethod(request, "POST");
    if (wrongMethod !== undefined) return wrongMethod;
    const body = await readBody(request, ENROLMENT_BYTES, client);
    if (body.outcome !== "read") {
      return refused(400, refuse("malformed", "expected a request to be enrolled"));
    }
    body.release();
    const enrolment = readEnrolment(new TextDecoder().decode(body.bytes));
    if (enrolment === undefined) {
      return refused(400, refuse("malformed", "expected code, console, name and site"));
    }
    const { console: target, name, site } = enrolment;
    const made = await hub.enrolments.enrol(enrolment);
    const told = {
      user: undefined,
      from: client,
      what: "enrol",
      target: { id: target, name, site },
    };
    if (!isRefusal(made)) {
      hub.tell(told);
      return json({ token: made.token, organisation: hub.organisation } satisfies Enrolled);
    }
    const refusal = made.parameter === "code" ? await hub.refuseLate(made, client) : made;
    hub.tell({ ...told, refused: refusal.message });
    return refused(refusal.parameter === "code" ? 401 : 409, refusal);
  }

  /** Takes the control socket of a console. */
  async function control(asked: HttpRequest, upgrade: Arrival["upgrade"]): Promise<Response> {
    const { request, client } = asked;
    const id = hub.enrolments.ofToken(bearerToken(request));
    if (id === undefined) {
      await hub.refuseLate(BAD_TOKEN, client);
      // A console cannot read the status of a handshake, but a close code.
      return await upgrade((socket) => {
        socket.close(UPLINK_CLOSE.notEnrolled, "the token is not that of an enrolled console");
        return DEAF;
      }, () => FRAME_BYTES);
    }
    const penalty = hub.dialled.penalty(id);
    if (penalty > 0) {
      const refusal = refuse("limitReached", "this console broke the protocol");
      return refused(429, refusal, { "retry-after": String(Math.ceil(penalty / 1000)) });
    }
    return await upgrade((socket) => {
      // It may have been removed during the handshake.
      if (hub.enrolments.consoles.has(id)) {
        return guarded(hub.dialled.open(id, client, socket), socket);
      }
      socket.close(UPLINK_CLOSE.notEnrolled, "removed from the fleet");
      return DEAF;
    }, () => FRAME_BYTES);
  }

  async function ticket(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
    text: string,
  ): Promise<Response> {
    const open = TICKET.test(text) ? hub.tickets.take(text) : undefined;
    if (open === undefined) {
      const refusal = await hub.refuseLate(refuse("noSuchObject", "no such ticket"), asked.client);
      return refused(404, refusal);
    }
    return await upgrade((socket) => guarded(open(socket), socket), () => MESSAGE_BYTES);
  }

  /** Opens a WebSocket of a client to a console. */
  async function clientSocket(
    id: string,
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Promise<Response> {
    const { request, client } = asked;
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      const refusal = refuse("webSocketOnly", `${WEBSOCKET_PATH} is for WebSockets`);
      return refused(426, refusal, { upgrade: "websocket" });
    }
    if (!mayOpenWebSocket(request, [])) return refused(403, originRefusal(request));
    if (isFull(client)) return refused(503, FULL, { "retry-after": "5" });
    const token = tokenBeside(asked);
    const user = token === undefined ? undefined : hub.people.ofToken(token);
    if (token !== undefined && user === undefined) {
      return unauthorized(await hub.refuseLate(BAD_TOKEN, client));
    }
    return await upgrade((socket) => {
      if (isFull(client)) {
        socket.close(TRY_AGAIN_LATER, FULL.message);
        return DEAF;
      }
      const quota = budget.sendBuffers;
      const listener = relay({ hub, id, from: client, user, timer, quota }, socket);
      clients.add(client);
      clientCount++;
      return guarded({
        receive: (data) => listener.receive(data),
        closed() {
          clients.remove(client);
          clientCount--;
          listener.closed();
        },
      }, socket);
    }, () => MESSAGE_BYTES);
  }

  /** Answers a request for metrics, of whoever sees all consoles: they are those of the whole hub. */
  async function metrics(asked: HttpRequest, text: () => string): Promise<Response> {
    const { request, client } = asked;
    const wrongMethod = refuseMethod(request, "GET");
    if (wrongMethod !== undefined) return wrongMethod;
    const token = tokenBeside(asked);
    const user = token === undefined ? undefined : await hub.authenticate(token, client);
    if (user !== undefined && isRefusal(user)) return unauthorized(user);
    if (user === undefined && hub.anonymous === "none") return unauthorized(NO_TOKEN);
    if (user !== undefined && !seesAll(user)) return refused(403, FOR_ALL);
    const headers = { "content-type": METRICS_MEDIA, "cache-control": "no-store" };
    return new Response(text(), { headers });
  }

  /**
   * Says whether a request counts as one of somebody who means this hub. Where a token is needed
   * for everything, the token says so; else a page of another site could have its own name lead here.
   */
  function isCalledByName(request: Request): boolean {
    return hub.anonymous === "none" || isAllowedHost(request, names, parts.machineName);
  }

  function isFull(client: string): boolean {
    return clientCount >= CLIENTS || clients.of(client) >= CLIENTS_PER_ADDRESS;
  }

  /** A fault in one socket ends that socket alone. */
  function guarded(listener: Listener, socket: Socket): Listener {
    return {
      receive(data) {
        try {
          listener.receive(data);
        } catch (fault) {
          socket.close(INTERNAL, "the hub failed", fault);
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

  function answerConsole(
    id: string,
    rest: string | undefined,
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Response | Promise<Response> {
    // The addresses of the page are below its own path.
    if (rest === undefined) {
      return new Response(null, { status: 308, headers: { location: `${id}/` } });
    }
    if (rest === WEBSOCKET_PATH || rest === `${WEBSOCKET_PATH}/`) {
      if (!isCalledByName(asked.request)) return misdirected(asked.request);
      return clientSocket(id, asked, upgrade);
    }
    const file = view?.get(rest);
    if (file !== undefined) return answerFile(asked, file);
    if (!isCalledByName(asked.request)) return misdirected(asked.request);
    if (rest !== CONTROL_API_PATH && !RELAYED.some((path) => rest.startsWith(path))) {
      return notFound(asked.url.pathname);
    }
    if (isForeignPage(asked.request, [])) {
      return refusedEitherWay(403, refuse("noRight", "a page of another site may not"));
    }
    return relayRequest(hub, readBody, id, rest, asked);
  }

  function answer(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Response | Promise<Response> {
    const { pathname } = asked.url;
    if (pathname === HEALTH_PATH) return health(asked.request, hub.figures.isStoring);
    if (pathname === UPLINK_PATHS.enrol) return enrol(asked);
    if (pathname === UPLINK_PATHS.control) return control(asked, upgrade);
    if (pathname.startsWith(UPLINK_PATHS.ticket)) {
      return ticket(asked, upgrade, pathname.slice(UPLINK_PATHS.ticket.length));
    }
    const [, id, rest] = CONSOLE_PATH.exec(pathname) ?? [];
    if (id !== undefined) return answerConsole(id, rest, asked, upgrade);
    const isData = pathname.startsWith("/api/") || pathname === METRICS_PATH;
    if (isData && !isCalledByName(asked.request)) {
      return misdirected(asked.request);
    }
    if (pathname === METRICS_PATH && parts.metrics !== undefined) {
      return metrics(asked, parts.metrics);
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
    // A thousand consoles may be behind one address, and all of them come at once; what has neither
    // a token nor a ticket is answered late.
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
      // The answer of a console is read as fast as its client reads.
      if (delivery !== undefined && answered.body !== null) delivery.completed.then(leave, leave);
      else leave();
      return answered;
    } catch (fault) {
      leave();
      throw fault;
    }
  };
}

const FOR_ALL = refuse("noRight", "metrics are for users who have a right on all consoles");

const FULL = refuse("limitReached", "there are too many connections already");

/** "Internal error". */
const INTERNAL = 1011;

const DEAF: Listener = { receive() {}, closed() {} };

/**
 * Answers a request for the health of the hub. It is 200 also where the ledger stores nothing: what
 * is running goes on.
 */
function health(request: Request, isStoring: boolean): Response {
  const refusal = refuseMethod(request, "GET", "HEAD");
  if (refusal !== undefined) return refusal;
  const answer = json({ live: true, ready: true, ledger: isStoring ? "ok" : "failed" }, 200, {
    "cache-control": "no-store",
  });
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}
