/**
 * The REST action interface: `/action/<name>` (service.md, "REST actions"). What is checked before an
 * action, and in which order, is decisions.md's: known, enabled, licensed, rate, HTTP method,
 * parameters, token, rights, object.
 *
 * @module
 */
import { LICENSES } from "../../core/configuration/schema.ts";
import type { Configuration } from "../../core/configuration/configuration.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, type Refusal, renamed } from "../../core/errors.ts";
import { FORM_BYTES, PIECE_BYTES } from "../../core/limits.ts";
import { shown } from "../../core/shown.ts";
import type { State } from "../../core/state.ts";
import type { Actor } from "../../core/users/user.ts";
import type { Action, ActionWorld } from "./action.ts";
import { isAtLeast } from "./firmware.ts";
import { limitedAddresses } from "./limited-addresses.ts";
import { parseInteger, repeated } from "./action-parameters.ts";
import {
  type Form,
  type Received,
  received,
  receivedInTurns,
  type ReceivedValues,
} from "../intake/form.ts";
import { actions } from "./actions.ts";
import { readBody } from "../intake/body.ts";
import { type BodyRoom, createBodyRoom } from "../intake/room.ts";
import { CLOSE, json } from "../json.ts";
import type { RequestTarget } from "../target.ts";
import { actorOf, bearerToken, isGiven, needsToken, NO_TOKEN } from "../token.ts";

/** Where the actions are; the name of one follows. */
export const ACTION_PATH = "/action/";

/** The firmware with which the REST interface came. */
const REST_SINCE = "9.1";
/** The firmware from which the snapshot calls are deprecated. */
const SNAPSHOTS_DEPRECATED_SINCE = "10.2";

/** A request to the REST interface, and the client it came from. */
export interface RestRequest {
  readonly request: Request;
  readonly target: RequestTarget;
  readonly client: string;
}

/** Answers a request to the REST interface. */
export type RestApi = (arrived: RestRequest) => Promise<Response>;

/** Members of an answer that mean something: what is received under such a name is not echoed. */
const OWN_MEMBERS = new Set(["Action", "Debug", "Deprecated", "Error", "Restored", "User"]);

/** What an answer says of its request: what it asked for and brought, and when it came. */
interface Echo {
  readonly name: string;
  /** Undefined where there is no action of that name. */
  readonly action: Action | undefined;
  readonly start: number;
  readonly received?: Received;
}

/** What an answer comes to, unless it is one of another kind. */
type Result = Refusal | Response | Readonly<Record<string, unknown>>;

/** Another of an action of which one is carried out at a time is. */
const BUSY = Symbol();

/** The REST interface of a console. */
export function createRestApi(console: Console, world: ActionWorld): RestApi {
  const { clock } = world;
  const clients = limitedAddresses();
  const underWay = new Set<Action>();
  const rooms = new Map<Action, BodyRoom>();

  return async (arrived) => {
    const name = arrived.target.pathname.slice(ACTION_PATH.length);
    const echo: Echo = { name, action: actions.get(name), start: clock.monotonic() };
    const response = await answerTo(arrived, echo);
    if (isDeprecated(echo)) response.headers.set("deprecation", "true");
    return response;
  };

  async function answerTo(
    { request, target, client }: RestRequest,
    echo: Echo,
  ): Promise<Response> {
    const { configuration } = console.state;
    const { name, action } = echo;
    const problem = (status: number, error: string, headers?: Readonly<Record<string, string>>) =>
      json({ ...answerOf(echo), Error: error }, status, headers);

    if (action === undefined) return problem(404, `there is no action ${shown(name)}`);
    const closed = gateOf(configuration, action);
    if (closed !== undefined) return problem(405, closed);
    const admission = clients.admit(client, clock.monotonic(), configuration.limits.rest);
    if (!admission.accepted) {
      const { retryAfter } = admission;
      const error = `too many requests: wait ${retryAfter} s`;
      return problem(423, error, { "retry-after": String(retryAfter) });
    }
    if (!action.methods.some((allowed) => allowed === request.method)) {
      const allow = action.methods.join(", ");
      return problem(405, `expected ${allow}, got ${request.method}`, { allow });
    }
    if (action.alone !== true) return await perform(action, request, target, echo);
    if (underWay.has(action)) return busy(echo);
    const guest = roomOf(action)(request);
    try {
      const response = await perform(action, guest.request, target, echo);
      return guest.displaced ? busy(echo) : response;
    } finally {
      guest.leave();
    }
  }

  function busy(echo: Echo): Response {
    const Error = `another ${echo.name} is under way`;
    return json({ ...answerOf(echo), Error }, 503, { "retry-after": "5", ...CLOSE });
  }

  function roomOf(action: Action): BodyRoom {
    let room = rooms.get(action);
    if (room === undefined) {
      rooms.set(action, room = createBodyRoom(action.bodyBytes?.(console.state) ?? FORM_BYTES));
    }
    return room;
  }

  async function perform(
    action: Action,
    request: Request,
    target: RequestTarget,
    echo: Echo,
  ): Promise<Response> {
    const problem = (status: number, error: string) =>
      json({ ...answerOf(echo), Error: error }, status, CLOSE);
    let form: Form | undefined;
    if (request.method === "POST") {
      const limit = bodyLimit(action, request, console.state);
      const body = await readBody(request, limit);
      if (body.outcome === "tooLarge") {
        return problem(413, `the body is too large: expected at most ${limit} bytes`);
      }
      if (body.outcome !== "read") return problem(408, "the body did not come whole");
      form = { contentType: request.headers.get("content-type"), bytes: body.bytes };
    }
    const parameters = form !== undefined && form.bytes.length > PIECE_BYTES
      ? await receivedInTurns(target.search, form)
      : received(target.search, form);
    if (!isRefusal(parameters)) {
      const echoed = { ...echo, received: parameters };
      const result = await carryOut(action, parameters, tokensOf(parameters, request, target));
      return result === BUSY ? busy(echoed) : answer(echoed, result);
    }
    // Of a malformed body nothing is known, but the query may be sound.
    const query = received(target.search);
    return answer(isRefusal(query) ? echo : { ...echo, received: query }, parameters);
  }

  async function carryOut(
    action: Action,
    received: Received,
    tokens: ReceivedValues,
  ): Promise<Result | typeof BUSY> {
    const values = await action.read(received);
    if (isRefusal(values)) return values;
    const actor = actorFor(action, tokens);
    if (isRefusal(actor)) return actor;
    if (action.alone === true) {
      if (underWay.has(action)) return BUSY;
      underWay.add(action);
    }
    try {
      const called = action.call(console, values, actor, world);
      const outcome = called instanceof Promise ? await called : called;
      return isRefusal(outcome) ? outcome : outcome.result;
    } finally {
      if (action.alone === true) underWay.delete(action);
    }
  }

  function actorFor({ token }: Action, tokens: ReceivedValues): Actor | Refusal {
    const { state } = console;
    const needed = token === "required" || needsToken(state.configuration).forActions;
    if (tokens.length === 0 && needed) return NO_TOKEN;
    return repeated(tokens, "Token") ?? actorOf(state, tokens[0]);
  }

  function answer(echo: Echo, result: Result): Response {
    if (result instanceof Response) return result;
    const members = isRefusal(result)
      ? { Error: renamed(result, { token: "Token" }).message }
      : result;
    return json({ ...answerOf(echo), ...members });
  }

  function answerOf(echo: Echo): object {
    const { name, action, start, received = new Map() } = echo;
    const { firmware } = console.state.configuration.device;
    const echoed = [...received].filter(([name]) => !OWN_MEMBERS.has(name))
      .map(([name, given]) => [name, echoOf(name, given, action)]);
    return {
      ...Object.fromEntries(echoed),
      Action: name,
      Debug: { Firmware: firmware, DurationMs: Math.round(clock.monotonic() - start) },
      ...(isDeprecated(echo) ? { Deprecated: true } : {}),
    };
  }

  function isDeprecated({ action }: Echo): boolean {
    const { firmware } = console.state.configuration.device;
    return action?.deprecated === true && isAtLeast(firmware, SNAPSHOTS_DEPRECATED_SINCE);
  }
}

/** Why the interface, or an action of it, is closed to everybody; undefined when it is open. */
export function gateOf(
  { restApi, device, licenses }: Configuration,
  { name, since = REST_SINCE }: Pick<Action, "name" | "since"> = { name: "the REST API" },
): string | undefined {
  if (!restApi.enabled) return "the REST API is not enabled in the configuration";
  if (!isAtLeast(device.firmware, REST_SINCE)) {
    return `the REST API needs firmware ${REST_SINCE}, this is ${device.firmware}`;
  }
  if (!isAtLeast(device.firmware, since)) {
    return `${name} needs firmware ${since}, this is ${device.firmware}`;
  }
  if (!licenses.includes(LICENSES.rest)) return `the REST API needs license ${LICENSES.rest}`;
}

/** The tokens of the body, else of the query, else of the header: one, unless it was repeated. */
function tokensOf(
  received: Received,
  request: Request,
  { search }: RequestTarget,
): ReceivedValues {
  const came = received.get("Token") ?? [];
  const given = came.filter(isGiven);
  if (given.length > 0) return given;
  // An empty one in the body has hidden that of the query.
  const hidden = came.length === 0 ? [] : new URLSearchParams(search).getAll("Token");
  const inQuery = hidden.filter(isGiven);
  if (inQuery.length > 0) return inQuery;
  const bearer = bearerToken(request);
  return bearer === undefined ? [] : [bearer];
}

/** Only a form with a file may be as large as its action allows. */
function bodyLimit(action: Action, request: Request, state: State): number {
  const type = request.headers.get("content-type") ?? "";
  return type.toLowerCase().startsWith("multipart/form-data")
    ? action.bodyBytes?.(state) ?? FORM_BYTES
    : FORM_BYTES;
}

/** A received value as the answer echoes it: a token never, a file by its name. */
function echoOf(name: string, given: ReceivedValues, action: Action | undefined): unknown {
  if (name.toLowerCase() === "token") return "***";
  const isInteger = action !== undefined && Object.hasOwn(action.parameters, name) &&
    action.parameters[name]!.integer === true;
  const echoed = given.map((one) => {
    if (typeof one !== "string") return one.name;
    const number = isInteger ? parseInteger(one) : NaN;
    return Number.isSafeInteger(number) ? number : one;
  });
  return echoed.length === 1 ? echoed[0] : echoed;
}
