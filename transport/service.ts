/**
 * The service as one function from a request to a response, written against web standards.
 * Operations beyond the web standards (upgrading to a WebSocket, the client's address) are ports.
 *
 * @module
 */
import { type Device, noDevice } from "../core/backup/device.ts";
import type { Console } from "../core/console.ts";
import { refuse } from "../core/errors.ts";
import type { Clock, CooperativeScheduler, Timer } from "../core/ports.ts";
import { ACTION_PATH, createActionApi } from "./action-api/action-api.ts";
import { createAnswerBody, STREAM_WHOLE_BYTES } from "./answer-body.ts";
import { type Arrival, clientOf, type HttpRequest, type Service } from "./arrival.ts";
import type { Budget } from "./budget.ts";
import { CONTROL_API_PATH, createControlApi } from "./control-api/control-api.ts";
import { health, HEALTH_PATH } from "./health.ts";
import { misdirected, parsedUrl } from "./host.ts";
import { createBodyReader } from "./intake/body.ts";
import { notFound, refused, refusedEitherWay } from "./json-answers.ts";
import { METRICS_PATH, metricsResponse } from "./metrics.ts";
import type { Observer } from "./observer.ts";
import { isBrowsers, isForeignPage, PAGE_CALL, unsniffed, withCorsHeaders } from "./origin.ts";
import { picture, PICTURE_PATH } from "./pictures.ts";
import { createPlaces, noPlace, noPlaceForStream, type Places } from "./places.ts";
import { createTargets } from "./target.ts";
import { createViewAnswers, type View } from "./view.ts";
import { openWebSocket, WEBSOCKET_PATH } from "./websocket/open.ts";
import type { Sessions } from "./websocket/sessions.ts";

export { WEBSOCKET_PATH } from "./websocket/open.ts";

/** The parts of a service. */
export interface ServiceOptions {
  readonly console: Console;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  /** Called for each request over HTTP that is answered. */
  readonly observer?: Observer;
  /** Makes the text of `GET /metrics`; without it that path does not exist. */
  readonly metrics?: (() => string) | undefined;
  /**
   * The device; without one, certificates are not checked and restored settings are not reported.
   */
  readonly device?: Device;
  /** The name of the machine in its network, which is an allowed host. */
  readonly machineName?: string | undefined;
  /** The files of the device view; without them `/` does not exist. */
  readonly view?: View | undefined;
}

/** Makes the service of a console. */
export function createService(options: ServiceOptions): Service {
  const { console, sessions, clock, timer, scheduler, budget, machineName, observer } = options;
  const places = createPlaces(console, sessions);
  const targetOf = createTargets(machineName);
  const answer = createRoutes(options, places);
  const bodyOf = createAnswerBody(budget.sendBuffers, timer);
  const bodyOfStream = createAnswerBody(budget.sendBuffers, timer, STREAM_WHOLE_BYTES);

  function respond(arrival: Arrival): Response | Promise<Response> {
    const { request, upgrade, isStream, delivery, vouched } = arrival;
    const { configuration } = console.state;
    const address = clientOf(request, arrival.client, configuration.limits.rest.trustProxy);
    const url = targetOf(request, configuration);
    const asked = url && {
      request,
      url,
      client: address,
      vouched,
      waits: false,
      bodyOf: isStream ? bodyOfStream : bodyOf,
    };
    // The answer is small, and always given: it takes no place, not even over HTTP/2.
    if (url?.sentPath === HEALTH_PATH) return health(request, console.state);
    if (isStream) {
      if (!places.admits(address, asked)) return noPlaceForStream();
      // A stream takes a place until its answer is read, whatever the answer is.
      if (delivery !== undefined) {
        const leave = places.take(address);
        delivery.completed.then(leave, leave);
      }
    }
    if (asked === undefined) {
      return refused(400, refuse("malformed", `the request has no valid "Host"`));
    }
    const { isAllowed, sentPath, pathname } = asked.url;
    if (!isAllowed) return misdirected(request);
    // A `URL` resolves ".." and backslashes; that must not circumvent a proxy that guards a path by
    // its prefix.
    if (sentPath !== pathname) return notFound(sentPath);
    if (!isStream && !places.admits(address, asked)) return noPlace(configuration);
    const answered = scheduler.pause(address)?.then(() => answer(asked, upgrade)) ??
      answer(asked, upgrade);
    if (isStream || !(answered instanceof Promise || asked.waits)) return answered;
    const leave = places.take(address);
    Promise.resolve(answered).then(() => {
      if (asked.waits && delivery !== undefined) delivery.completed.then(leave, leave);
      else leave();
    }, leave);
    return answered;
  }

  const answerTo = observed(respond, observer, clock);
  return (arrival) =>
    isBrowsers(arrival.request) ? unsniffed(answerTo(arrival)) : answerTo(arrival);
}

/** Answers a request, by its path. */
type Answerer = (
  asked: HttpRequest,
  upgrade: Arrival["upgrade"],
) => Response | Promise<Response>;

function createRoutes(options: ServiceOptions, places: Places): Answerer {
  const { console, sessions, clock, timer, scheduler, budget, metrics, view } = options;
  const { device = noDevice } = options;
  const { clients, history, tokens } = sessions;
  const readBody = createBodyReader(timer, scheduler, budget);
  const bodyOf = createAnswerBody(budget.sendBuffers, timer, STREAM_WHOLE_BYTES);
  const shared = { clock, scheduler, readBody, tokens };
  const actionApi = createActionApi(console, { ...shared, budget, bodyOf, timer, device });
  const controlApi = createControlApi(console, { ...shared, device, clients, history });

  const answerFile = createViewAnswers();

  function overHttp(asked: HttpRequest): Response | Promise<Response> {
    const { pathname } = asked.url;
    const { configuration } = console.state;
    const file = configuration.view ? view?.get(pathname) : undefined;
    if (file !== undefined) return answerFile(asked, file);
    if (isForeignPage(asked.request, configuration.restApi.origins)) {
      const refusal = refuse(
        "noRight",
        "a page of another site may send no requests; see restApi.origins",
      );
      console.tellRefused({ address: asked.client, call: PAGE_CALL }, refusal, pathname);
      return refusedEitherWay(403, refusal);
    }
    if (pathname.startsWith(PICTURE_PATH)) return picture(console, tokens, asked);
    if (pathname === METRICS_PATH && metrics !== undefined) {
      return metricsResponse(console, tokens, asked, metrics);
    }
    if (isAt(pathname, CONTROL_API_PATH)) return controlApi(asked);
    return pathname.startsWith(ACTION_PATH) ? actionApi(asked) : notFound(pathname);
  }

  return (asked, upgrade) => {
    const { pathname } = asked.url;
    const { origins } = console.state.configuration.restApi;
    if (pathname === WEBSOCKET_PATH || pathname === `${WEBSOCKET_PATH}/`) {
      return openWebSocket(console, sessions, places, asked, upgrade, clock.now);
    }
    return origins.length === 0
      ? overHttp(asked)
      : withCorsHeaders(asked.request, origins, () => overHttp(asked));
  };
}

/** A service that tells an observer of its answers, and of how long they took. */
function observed(service: Service, observer: Observer | undefined, clock: Clock): Service {
  if (observer?.answered === undefined) return service;
  return async (arrival) => {
    const start = clock.monotonic();
    const response = await service(arrival);
    const ms = clock.monotonic() - start;
    const { request: { method, url }, client } = arrival;
    const { status } = response;
    const path = parsedUrl(url)?.pathname;
    observer.answered?.({ over: "http", from: client, method, path, status, ms });
    return response;
  };
}

function isAt(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(`${path}/`);
}
