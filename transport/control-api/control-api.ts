/**
 * The control API over HTTP: `/api/rest` (decisions.md, "Control API endpoints"; control-tree.md,
 * "Messages (HTTP)").
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { errorCodes, isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Clock, CooperativeScheduler } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import { childNames, get } from "../../core/tree/get.ts";
import { isLeafDefinition } from "../../core/tree/leaf.ts";
import { set } from "../../core/tree/set.ts";
import { type Branch, find, parsePath } from "../../core/tree/tree.ts";
import type { HttpRequest } from "../arrival.ts";
import { decoded, type Intake } from "../intake/intake.ts";
import { CLOSE, json, jsonOf, jsonText, refused } from "../json.ts";
import {
  authenticateActor,
  needsTokenToGet,
  needsTokenToPost,
  NO_TOKEN,
  TOKEN_CALL,
  tokenBeside,
  unauthorized,
} from "../request-token.ts";
import { isGiven, type Tokens } from "../tokens.ts";
import { type Envelope, failed, longestMessage, pathRefusal, readMessage } from "./envelope.ts";
import type { Caller } from "./method.ts";
import { answer, textOf } from "./methods.ts";
import { createTreeRate } from "./tree-rate.ts";

/** Where the control API is; the path of the tree may follow. */
export const CONTROL_API_PATH = "/api/rest";

/** What the control API may ask of the world beside the console. */
export interface ControlApiWorld {
  readonly clock: Clock;
  readonly scheduler: CooperativeScheduler;
  readonly intake: Intake;
  readonly clients: Caller["clients"];
  readonly tokens: Tokens;
}

/**
 * Makes the control API of a console, which answers POST (an envelope) and GET (a bare value of the
 * tree).
 */
export function createControlApi(
  console: Console,
  { clock, scheduler, intake, clients, tokens }: ControlApiWorld,
): (asked: HttpRequest) => Response | Promise<Response> {
  const admits = createTreeRate();

  async function postEnvelope(asked: HttpRequest): Promise<Response> {
    const { state } = console;
    const longest = longestMessage(state);
    const body = await intake.body(asked.request, longest, asked.client);
    if (body.outcome === "tooLarge") return tooLong(longest);
    if (body.outcome === "evicted") {
      const refusal = refuse("limitReached", "too many messages are on their way");
      return json(failed({}, refusal), 503, { "retry-after": "1", ...CLOSE });
    }
    if (body.outcome !== "read") {
      return json(failed({}, refuse("malformed", "the message did not come whole")), 408, CLOSE);
    }
    body.release();
    const text = decoded(body.bytes)?.replace(BYTE_ORDER_MARK, "");
    if (text === undefined) {
      return json(failed({}, refuse("malformed", "the message is no UTF-8")), 400);
    }
    const address = asked.client;
    const message = readMessage(
      state,
      text,
      (token) => tokens.identify(token ?? tokenBeside(asked), address),
    );
    if ("limit" in message) return tooLong(message.limit);
    const request = "refusal" in message ? message : completed(message, asked);
    const authenticate = (token: unknown) => tokens.authenticate(token, address);
    const caller = { console, actor: { address }, scheduler, clients, authenticate };
    const tokenRequired = needsTokenToPost(console.state.configuration);
    const given = await answer(request, caller, tokenRequired);
    const status = "refusal" in message && !message.isObject ? 400 : 200;
    return answered(asked, await textOf(request, given, scheduler, address), status);
  }

  function answered(asked: HttpRequest, text: string, status?: number): Response {
    const body = asked.bodyOf(text, asked.client);
    asked.waits = body instanceof ReadableStream;
    return jsonText(body, status);
  }

  async function getValue(asked: HttpRequest): Promise<Response> {
    const { configuration } = console.state;
    const { perSecond } = configuration.limits.tree;
    if (!admits(asked.client, clock.monotonic(), perSecond)) {
      const message = `expected at most ${perSecond} requests a second`;
      return refused(503, refuse("limitReached", message), { "retry-after": "1" });
    }
    const { searchParams } = asked.url;
    const written = searchParams.get("set");
    if (written !== null && !configuration.restApi.writesByGet) {
      const refusal = refuse("malformed", "method: expected POST to write, got GET");
      console.tellRefused({ address: asked.client, call: "set" }, refusal, `/${treePath(asked)}`);
      return refused(405, refusal, { allow: "POST" });
    }
    const token = tokenBeside(asked);
    const path = treePath(asked);
    const isMissing = token === undefined && needsTokenToGet(configuration);
    const actor = isMissing ? NO_TOKEN : await authenticateActor(tokens, asked.client, token);
    if (isRefusal(actor)) {
      const reading = isMissing ? undefined : TOKEN_CALL;
      const call = written === null ? reading : "set";
      console.tellRefused({ address: asked.client, call }, actor, `/${path}`);
      return unauthorized(actor);
    }
    const tooLong = pathRefusal(path);
    if (tooLong !== undefined) return failure(tooLong);
    if (written !== null) {
      const by = { ...actor, call: "set" };
      const value = valueFromText(console, path, written);
      const outcome = isRefusal(value) ? value : await console.dispatch(set(path, value.value), by);
      if (!isRefusal(outcome)) {
        return json(outcome.result, 200, outcome.durable === false ? NOT_DURABLE : {});
      }
      console.tellRefused(by, outcome, `/${path}`);
      return failure(outcome);
    }
    const found = get(console, path);
    if (isRefusal(found)) return failure(found);
    const { value } = found;
    return searchParams.get("flat") === "true"
      ? json(childNames(value))
      : answered(asked, await jsonOf(value, scheduler, asked.client));
  }

  return (asked) => {
    const { method } = asked.request;
    if (method === "POST") return postEnvelope(asked);
    if (method === "GET") return getValue(asked);
    const refusal = refuse("malformed", `method: expected GET or POST, got ${method}`);
    return refused(405, refusal, { allow: "GET, POST" });
  };
}

function tooLong(limit: number): Response {
  const refusal = refuse("limitReached", `the message is larger than ${limit} bytes`);
  return json(failed({}, refusal), 413, CLOSE);
}

/** Answers the envelope, with the token and the path of its request where it has none itself. */
function completed(envelope: Envelope, asked: HttpRequest): Envelope {
  const token = isGiven(envelope.token) ? envelope.token : tokenBeside(asked);
  const { path = treePath(asked) } = envelope;
  return { ...envelope, token, ...(path === "" ? {} : { path }) };
}

/** Answers the path of the tree that a request names. */
function treePath({ url }: HttpRequest): string {
  // A run of slashes is looked at once, from its first: they may be thousands.
  const path = url.pathname.slice(CONTROL_API_PATH.length).replace(/^\/+|(?<!\/)\/+$/g, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Answers what `?set=` means: text as it stands for a leaf that holds text, else JSON. */
function valueFromText(
  { state }: Console,
  path: string,
  text: string,
): { readonly value: unknown } | Refusal {
  const leaf = find(state.ranges as Branch, parsePath(path));
  if (typeof leaf === "object" && isLeafDefinition(leaf) && leaf.type === "string") {
    return { value: text };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return refuse("invalidParameter", `expected a JSON value, got ${shown(text)}`, "set");
  }
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** The value alone is the body, so a header says that it is in force but not on the medium. */
const NOT_DURABLE = { durable: "false" };

const STATUS: ReadonlyMap<number, number> = new Map([
  [errorCodes.notLoggedIn, 401],
  [errorCodes.noRight, 403],
  [errorCodes.noSuchObject, 404],
  [errorCodes.notStored, 507],
]);

function failure(refusal: Refusal): Response {
  return refused(STATUS.get(refusal.code) ?? 400, refusal);
}
