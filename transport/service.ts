/**
 * The service as one function from a request to a response, written against web standards. What is
 * no web standard (upgrading to a WebSocket, the client's address) comes in as a port.
 *
 * @module
 */
import { type Device, noDevice } from "../core/backup/device.ts";
import type { Console } from "../core/console.ts";
import { isRefusal, refuse } from "../core/errors.ts";
import type { Clock, CooperativeScheduler, Timer } from "../core/ports.ts";
import { ACTION_PATH, createActionApi } from "./action-api/action-api.ts";
import { createAnswerBody, STREAM_WHOLE_BYTES } from "./answer-body.ts";
import { type Arrival, clientOf, type HttpRequest, type Service } from "./arrival.ts";
import { CONTROL_API_PATH, createControlApi } from "./control-api/control-api.ts";
import { longestMessage } from "./control-api/envelope.ts";
import type { Budget } from "./budget.ts";
import { createCounts } from "./counts.ts";
import { health, HEALTH_PATH } from "./health.ts";
import { isForUs, misdirected } from "./host.ts";
import { createIntake } from "./intake/intake.ts";
import { refused, refusedEitherWay } from "./json.ts";
import { type Metrics, METRICS_MEDIA, METRICS_PATH } from "./metrics.ts";
import {
  isBrowsers,
  isForeignPage,
  mayOpenWebSocket,
  originRefusal,
  readableByPages,
  unsniffed,
} from "./origin.ts";
import { picture, PICTURE_PATH } from "./pictures.ts";
import { authenticateActor, readRefusal, tokenBeside, wrongToken } from "./request-token.ts";
import { parsedUrl } from "./url.ts";
import { TRY_AGAIN_LATER } from "./websocket/close-codes.ts";
import { type View, viewResponse } from "./view.ts";
import type { Sessions } from "./websocket/sessions.ts";

/** Where WebSockets are opened; a trailing slash is allowed. */
export const WEBSOCKET_PATH = "/api/ws";

/** What the audit trail calls whatever a page of another site tried. */
const PAGE_CALL = "page of another site";

/** What a service is made of. */
export interface ServiceOptions {
  readonly console: Console;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  /** Without it nothing is counted, and `GET /metrics` leads nowhere. */
  readonly metrics?: Metrics | undefined;
  /** Without one, certificates are not checked and nobody is told of restored settings. */
  readonly device?: Device;
  /** What the machine is called in its network; without it nobody may call it by that. */
  readonly machineName?: string | undefined;
  /** The files of the device view; without them nothing is at `/`. */
  readonly view?: View | undefined;
}

/** Makes the service of a console. */
export function createService(options: ServiceOptions): Service {
  const { console, sessions, clock, timer, scheduler, budget, machineName, metrics, view } =
    options;
  const { device = noDevice } = options;
  const intake = createIntake(timer, scheduler, budget.bodies);
  const bodyOf = createAnswerBody(budget.sendBuffers, timer);
  const bodyOfStream = createAnswerBody(budget.sendBuffers, timer, STREAM_WHOLE_BYTES);
  const { clients, tokens } = sessions;
  const underWay = createCounts();
  const shared = { clock, scheduler, intake, tokens };
  const actionApi = createActionApi(console, {
    ...shared,
    bodyOf: bodyOfStream,
    timer,
    device,
  });
  const controlApi = createControlApi(console, { ...shared, clients });

  /**
   * Whether all places of an address (`limits.connectionsPerAddress`) are taken: by its WebSockets,
   * by its requests that are not answered yet, and by large answers and streams of HTTP/2 until they
   * are read.
   */
  function isFull(address: string): boolean {
    const { connectionsPerAddress } = console.state.configuration.limits;
    return sessions.countFrom(address) + underWay.of(address) >= connectionsPerAddress;
  }

  /** Whether a request brings the token of an admin, who always finds a place. */
  function isAdmins(asked: HttpRequest): boolean {
    return tokens.identify(tokenBeside(asked), asked.client)?.admin === true;
  }

  function openWebSocket(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Response | Promise<Response> {
    const { request, client } = asked;
    const { limits, websocket } = console.state.configuration;
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      const refusal = refuse("webSocketOnly", `${WEBSOCKET_PATH} is for WebSockets`);
      return refused(426, refusal, { upgrade: "websocket" });
    }
    if (!mayOpenWebSocket(request, websocket.origins)) {
      const refusal = originRefusal(request);
      console.tellRefused({ address: client, call: PAGE_CALL }, refusal, WEBSOCKET_PATH);
      return refused(403, refusal);
    }
    const actor = authenticateActor(tokens, client, tokenBeside(asked));
    if (actor instanceof Promise) {
      return actor.then((refusal) => wrongToken(console, asked, refusal));
    }
    if (isRefusal(actor)) return wrongToken(console, asked, actor);
    const isAdmin = actor.user?.admin === true;
    const full = `there are ${limits.connections} connections already`;
    if (isAdmin && isFull(client)) sessions.makePlace(client);
    if (sessions.count >= limits.connections) {
      if (!isAdmin) return refused(503, refuse("limitReached", full), { "retry-after": "5" });
      sessions.makePlace();
    }
    return upgrade((socket) => {
      const peer = { address: client, user: actor.user, since: clock.now() };
      const session = sessions.open(socket, peer);
      // Of handshakes that were under way together, more may be done than there was room for.
      const tooMany = sessions.count > limits.connections ||
        sessions.countFrom(client) > limits.connectionsPerAddress;
      if (tooMany && !isAdmin) session.close(TRY_AGAIN_LATER, full);
      return session;
    }, () => longestMessage(console.state));
  }

  function overHttp(asked: HttpRequest): Response | Promise<Response> {
    const { request, url } = asked;
    const { pathname } = url;
    const file = console.state.configuration.view ? view?.get(pathname) : undefined;
    if (file !== undefined) return viewResponse(asked, file);
    if (isForeignPage(request, console.state.configuration.restApi.origins)) {
      const refusal = refuse("noRight", "a page of another site may not; see restApi.origins");
      console.tellRefused({ address: asked.client, call: PAGE_CALL }, refusal, pathname);
      return refusedEitherWay(403, refusal);
    }
    if (pathname.startsWith(PICTURE_PATH)) return picture(console, tokens, asked);
    if (pathname === METRICS_PATH && metrics !== undefined) return metricsTo(asked, metrics);
    if (isAt(pathname, CONTROL_API_PATH)) return controlApi(asked);
    if (pathname.startsWith(ACTION_PATH)) return actionApi(asked);
    return refused(404, refuse("noSuchObject", `nothing is at ${pathname}`));
  }

  async function metricsTo(asked: HttpRequest, counts: Metrics): Promise<Response> {
    if (asked.request.method !== "GET") {
      const sentence = `expected GET, got ${asked.request.method}`;
      return refused(405, refuse("malformed", sentence), { allow: "GET" });
    }
    const refusal = await readRefusal(console, tokens, asked);
    if (refusal !== undefined) return refusal;
    const headers = {
      "content-type": METRICS_MEDIA,
      "cache-control": "no-store",
    };
    return new Response(counts.text(), { headers });
  }

  function respond(arrival: Arrival): Response | Promise<Response> {
    const { request, upgrade, isStream } = arrival;
    const { configuration } = console.state;
    const { limits } = configuration;
    const address = clientOf(request, arrival.client, limits.rest.trustProxy);
    const url = parsedUrl(request.url);
    const asked = url && {
      request,
      url,
      client: address,
      waits: false,
      bodyOf: isStream ? bodyOfStream : bodyOf,
    };
    const sent = pathSent(request);
    // It is small, and always told: over HTTP/2, too, it takes no place.
    if (asked !== undefined && sent === HEALTH_PATH) return health(request, console.state);
    if (isStream && !takePlace(arrival, address, asked)) return noPlaceForStream();
    if (asked === undefined) {
      return refused(400, refuse("malformed", `the request has no valid "Host"`));
    }
    if (!isForUs(request, configuration, machineName)) return misdirected(request);
    if (sent !== asked.url.pathname) {
      return refused(404, refuse("noSuchObject", `nothing is at ${sent}`));
    }
    if (!isStream && isFull(address) && !isAdmins(asked)) {
      return noPlace(limits.connectionsPerAddress);
    }
    const answered = scheduler.pause(address)?.then(() => answer(asked, upgrade)) ??
      answer(asked, upgrade);
    if (!isStream && answered instanceof Promise) {
      countUntil(
        answered.then(() => asked.waits ? arrival.delivery?.completed : undefined),
        address,
      );
    }
    return answered;
  }

  /** Whether a stream finds a place, which it then has until its answer is read, whatever that is. */
  function takePlace(arrival: Arrival, address: string, asked: HttpRequest | undefined): boolean {
    if (isFull(address) && (asked === undefined || !isAdmins(asked))) return false;
    if (arrival.delivery !== undefined) countUntil(arrival.delivery.completed, address);
    return true;
  }

  function countUntil(end: Promise<unknown>, address: string): void {
    underWay.add(address);
    const leave = () => underWay.remove(address);
    end.then(leave, leave);
  }

  function answer(
    asked: HttpRequest,
    upgrade: Arrival["upgrade"],
  ): Response | Promise<Response> {
    const { request, url } = asked;
    const { restApi } = console.state.configuration;
    if (url.pathname === WEBSOCKET_PATH || url.pathname === `${WEBSOCKET_PATH}/`) {
      return openWebSocket(asked, upgrade);
    }
    return restApi.origins.length === 0
      ? overHttp(asked)
      : readableByPages(request, restApi.origins, () => overHttp(asked));
  }

  /** Tells metrics of an answer, and of how long it took. */
  async function counted(arrival: Arrival, counts: Metrics): Promise<Response> {
    const from = clock.monotonic();
    const response = await respond(arrival);
    const outcome = response.status < 400 ? "ok" : String(response.status);
    const seconds = (clock.monotonic() - from) / 1000;
    counts.answered("http", kindOf(arrival.request), seconds, outcome);
    return response;
  }

  const answerTo = metrics === undefined
    ? respond
    : (arrival: Arrival) => counted(arrival, metrics);
  return (arrival) =>
    isBrowsers(arrival.request) ? unsniffed(answerTo(arrival)) : answerTo(arrival);
}

/** Says what a request is about, by the first part of its path that means something. */
function kindOf({ url }: Request): string {
  const path = URL.parse(url)?.pathname ?? "";
  const kinds = [WEBSOCKET_PATH, CONTROL_API_PATH, ACTION_PATH, PICTURE_PATH, HEALTH_PATH];
  return [...kinds, METRICS_PATH].find((one) => path.startsWith(one)) ?? "other";
}

function noPlace(most: number): Response {
  const sentence = `this address has ${most} connections and requests under way already`;
  return refusedEitherWay(503, refuse("limitReached", sentence), { "retry-after": "1" });
}

/** The same without a body, which the stream would hold until it is read. */
function noPlaceForStream(): Response {
  return new Response(null, { status: 503, headers: { "retry-after": "1" } });
}

/**
 * Answers the path as it was sent. A `URL` resolves `..` and backslashes in it; whoever guards a
 * path by its first letters, in front of the console, must not be led round by that.
 */
function pathSent({ url }: Request): string {
  const [sent] = url.slice(url.indexOf("/", "https://".length)).split(/[?#]/, 1);
  return sent!;
}

function isAt(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}
