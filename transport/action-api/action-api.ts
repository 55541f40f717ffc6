/**
 * The REST action interface: `/action/<name>` (service.md, "REST actions"). What is checked before
 * an action, and in which order, is decisions.md's: known, enabled, licensed, rate, HTTP method,
 * parameters, token, rights, object.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, type Refusal, refuse, renamed } from "../../core/errors.ts";
import { FORM_BYTES } from "../../core/limits.ts";
import { shown, withoutTokens } from "../../core/shown.ts";
import type { State } from "../../core/state.ts";
import type { Actor } from "../../core/users/user.ts";
import type { HttpRequest } from "../arrival.ts";
import {
  createRoom,
  type Form,
  type Guest,
  type Intake,
  isFile,
  readQuery,
  type Received,
  type ReceivedValues,
} from "../intake/intake.ts";
import { CLOSE, json } from "../json.ts";
import {
  authenticateActor,
  bearerToken,
  needsToken,
  needsTokenForActions,
  NO_TOKEN,
  TOKEN_CALL,
} from "../request-token.ts";
import { isGiven, type Tokens } from "../tokens.ts";
import { repeated, typed } from "./action-parameters.ts";
import type { Action, ActionResult, ActionWorld } from "./action.ts";
import { actions } from "./actions.ts";
import { gateOf, isDeprecated } from "./gate.ts";
import { limitedAddresses } from "./limited-addresses.ts";

/** Where the actions are; the name of one follows. */
export const ACTION_PATH = "/action/";

/** Members of an answer that mean something: what is received under such a name is not echoed. */
const OWN_MEMBERS = new Set(
  ["Action", "Debug", "Deprecated", "Durable", "Error", "Restored", "User"],
);

/** What an answer says of its request: what it asked for and brought, and when it came. */
interface Echo {
  readonly name: string;
  /** Undefined where there is no action of that name. */
  readonly action: Action | undefined;
  readonly start: number;
  /** What of the request could be read. */
  readonly received?: Received;
  /** Who asks may know of the console: not without a token where that is needed for all. */
  readonly mayKnow?: boolean;
}

const NOTHING: Received = new Map();

/** Where a request came from, and the tokens that it brought. */
interface Asker {
  readonly client: string;
  readonly given: ReceivedValues;
}

/** Makes the REST actions of a console. */
export function createActionApi(
  console: Console,
  { intake, tokens, ...world }: ActionWorld & { readonly intake: Intake; readonly tokens: Tokens },
): (asked: HttpRequest) => Promise<Response> {
  const { clock } = world;
  const clients = limitedAddresses();
  const underWay = new Set<Action>();
  const rooms = new Map(
    [...actions.values()].filter(({ alone }) => alone)
      .map((action) => [action, createRoom(() => formBytes(action, console.state))]),
  );

  async function respond(asked: HttpRequest, echo: Echo): Promise<Response> {
    const { configuration } = console.state;
    const { name, action } = echo;
    if (action === undefined) return problem(echo, 404, `there is no action ${shown(name)}`);
    const closed = gateOf(configuration, action);
    if (closed !== undefined) return problem(echo, 405, closed);
    const admission = clients.admit(asked.client, clock.monotonic(), configuration.limits.rest);
    if (!admission.accepted) {
      const { retryAfter } = admission;
      const headers = { "retry-after": String(retryAfter) };
      return problem(echo, 423, `too many requests: wait ${retryAfter} s`, headers);
    }
    const { method } = asked.request;
    const methods = configuration.restApi.writesByGet || action.reads
      ? action.methods
      : action.methods.filter((allowed) => allowed !== "GET");
    if (!methods.some((allowed) => allowed === method)) {
      const allow = methods.join(", ");
      const error = `expected ${allow}, got ${method}`;
      const call = action.reads === true ? undefined : name;
      console.tellRefused({ address: asked.client, call }, refuse("malformed", error));
      return problem(echo, 405, error, { allow });
    }
    const enter = rooms.get(action);
    if (enter === undefined) return await receive(action, asked, echo);
    if (underWay.has(action)) return busy(echo);
    const guest = enter();
    try {
      return await receive(action, asked, echo, guest);
    } finally {
      guest.leave();
    }
  }

  /** Takes in what the request brings. Its answer says of a body that was not read to its end. */
  async function receive(
    action: Action,
    { request, url, client }: HttpRequest,
    echo: Echo,
    guest?: Guest,
  ): Promise<Response> {
    let form: Form | undefined;
    if (request.method === "POST") {
      const contentType = request.headers.get("content-type");
      const isMultipart = contentType?.toLowerCase().startsWith("multipart/form-data");
      const limit = isMultipart ? formBytes(action, console.state) : FORM_BYTES;
      const body = await intake.body(request, limit, client, guest);
      if (body.outcome === "displaced") return busy(echo);
      if (body.outcome === "tooLarge") {
        const error = `the body is too large: expected at most ${limit} bytes`;
        return problem(echo, 413, error, CLOSE);
      }
      if (body.outcome !== "read") return problem(echo, 408, "the body did not come whole", CLOSE);
      form = { contentType, bytes: body.bytes };
    }
    const query = readQuery(url.search);
    const fields = form === undefined || isRefusal(query)
      ? NOTHING
      : await intake.form(form, client);
    // Of a malformed body nothing is known, but the query is.
    const ofQuery = isRefusal(query) ? NOTHING : query;
    const ofBody = isRefusal(fields) ? NOTHING : fields;
    const received = new Map([...ofQuery, ...ofBody]);
    const malformed = [query, fields].find(isRefusal);
    const given = tokensOf([ofBody, ofQuery], request);
    return await carryOut(action, malformed ?? received, { client, given }, { ...echo, received });
  }

  async function carryOut(
    action: Action,
    received: Received | Refusal,
    by: Asker,
    echo: Echo,
  ): Promise<Response> {
    const known = await actorFor(action, by);
    const actor = isRefusal(known) ? { address: by.client } : known;
    const asker = { ...actor, call: callOf(action, known) };
    const refused = (refusal: Refusal, mayKnow = false) => {
      console.tellRefused(asker, refusal, echoed(echo));
      return answer({ ...echo, mayKnow }, refusal);
    };
    // Where nothing is answered without a token, nobody learns of parameters without one.
    if (isRefusal(known) && needsToken(console.state.configuration)) return refused(known);
    const values = isRefusal(received) ? received : action.read(received);
    if (isRefusal(values)) return refused(values);
    if (isRefusal(known)) return refused(known);
    if (underWay.has(action)) return busy(echo);
    if (action.alone) underWay.add(action);
    try {
      const outcome = await action.call(console, values, asker, world);
      return isRefusal(outcome)
        ? refused(outcome, true)
        : answer({ ...echo, mayKnow: true }, outcome);
    } finally {
      underWay.delete(action);
    }
  }

  function actorFor(
    { token }: Action,
    { client, given }: Asker,
  ): Actor | Refusal | Promise<Refusal> {
    const needed = token === "required" || needsTokenForActions(console.state.configuration);
    if (given.length === 0 && needed) return NO_TOKEN;
    return repeated(given, "Token") ?? authenticateActor(tokens, client, given[0]);
  }

  function answer(echo: Echo, outcome: Outcome<ActionResult>): Response {
    if (isRefusal(outcome)) {
      return problem(echo, 200, renamed(outcome, { token: "Token" }).message);
    }
    const { result, durable } = outcome;
    if (result instanceof Response) return result;
    return json({
      ...membersOf(echo),
      ...(durable === undefined ? {} : { Durable: durable }),
      ...result,
    });
  }

  function busy(echo: Echo): Response {
    const headers = { "retry-after": "5", ...CLOSE };
    return problem(echo, 503, `another ${echo.name} is under way`, headers);
  }

  function problem(
    echo: Echo,
    status: number,
    error: string,
    headers?: Readonly<Record<string, string>>,
  ): Response {
    return json({ ...membersOf(echo), Error: error }, status, headers);
  }

  /** Makes the members that every answer holds. */
  function membersOf(echo: Echo): object {
    const { configuration } = console.state;
    const { device } = configuration;
    const { name, action, start, mayKnow } = echo;
    return {
      ...echoed(echo),
      Action: withoutTokens(name),
      Debug: {
        ...(mayKnow || !needsToken(configuration) ? { Firmware: device.firmware } : {}),
        DurationMs: Math.round(clock.monotonic() - start),
      },
      ...(isDeprecated(configuration, action) ? { Deprecated: true } : {}),
    };
  }

  return async (asked) => {
    const name = asked.url.pathname.slice(ACTION_PATH.length);
    const action = actions.get(name);
    // What has a media type of its own is a file.
    asked.waits = action?.media !== undefined;
    const response = await respond(asked, { name, action, start: clock.monotonic() });
    if (isDeprecated(console.state.configuration, action)) {
      response.headers.set("deprecation", "true");
    }
    return response;
  };
}

/**
 * Answers what the audit trail calls an action: nothing where it only reads and the token is right.
 */
function callOf({ name, reads }: Action, known: Actor | Refusal): string | undefined {
  if (reads !== true) return name;
  return isRefusal(known) && known !== NO_TOKEN ? TOKEN_CALL : undefined;
}

/** Answers what was received, as the answer echoes it. */
function echoed({ action, received = new Map() }: Echo): object {
  const members = [...received].filter(([name]) => !OWN_MEMBERS.has(name))
    .map(([name, given]) => [withoutTokens(name), echoOf(name, given, action)]);
  return Object.fromEntries(members);
}

/**
 * Answers the tokens of the body, else of the query, else of the header: one, unless it was
 * repeated.
 */
function tokensOf(received: readonly Received[], request: Request): ReceivedValues {
  for (const values of received) {
    const given = (values.get("Token") ?? []).filter(isGiven);
    if (given.length > 0) return given;
  }
  const bearer = bearerToken(request);
  return bearer === undefined ? [] : [bearer];
}

/**
 * Answers the most bytes of a form that may hold a file: those of the file, and of all that is
 * around it.
 */
function formBytes({ fileBytes }: Action, state: State): number {
  return FORM_BYTES + (fileBytes?.(state) ?? 0);
}

/**
 * Answers a received value as the answer echoes it: a file by its name, a token never, also where
 * the name of the parameter is misspelt.
 */
function echoOf(name: string, given: ReceivedValues, action: Action | undefined): unknown {
  if (name.toLowerCase() === "token") return "***";
  const { parameters = {} } = action ?? {};
  const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const echoed = given.map((one) => {
    const value = typed(schema, isFile(one) ? one.name : one);
    return typeof value === "string" ? withoutTokens(value) : value;
  });
  return echoed.length === 1 ? echoed[0] : echoed;
}
