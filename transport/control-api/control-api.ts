/**
 * The control API over HTTP: `/api/rest` (decisions.md, "Control API endpoints"; control-tree.md,
 * "Messages (HTTP)").
 *
 * @module
 */
import type { Device } from "../../core/backup/device.ts";
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { errorCodes, isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Clock, CooperativeScheduler } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import { childNames } from "../../core/tree/get.ts";
import { isLeafDefinition } from "../../core/tree/leaf.ts";
import { type Branch, find, parsePath, type Tree } from "../../core/tree/tree.ts";
import type { HttpRequest } from "../arrival.ts";
import { queryOf, type Target } from "../target.ts";
import type { BodyOutcome, BodyReader } from "../intake/body.ts";
import { readQuery, repeated } from "../intake/form.ts";
import { decoded } from "../intake/multipart.ts";
import {
  CLOSE,
  json,
  jsonOf,
  jsonText,
  refused,
  refuseMethod,
  type ResponseHeaders,
} from "../json-answers.ts";
import {
  authenticate,
  needsTokenToGet,
  needsTokenToPost,
  tokenBeside,
  unauthorized,
} from "../request-token.ts";
import { isGiven, type Tokens } from "../tokens.ts";
import { whenKnown } from "../when-known.ts";
import { type Envelope, failed, longestMessage, readMessage } from "./envelope.ts";
import type { Caller } from "./method.ts";
import { answer, carryOut, textOf } from "./methods.ts";
import { createTreeRate } from "./tree-rate.ts";

/** The path of the control API; a path of the tree may follow. */
export const CONTROL_API_PATH = "/api/rest";

/** The ports of the control API, besides the console. */
export interface ControlApiWorld {
  readonly clock: Clock;
  readonly scheduler: CooperativeScheduler;
  readonly readBody: BodyReader;
  readonly device: Device;
  readonly clients: Caller["clients"];
  readonly history: Caller["history"];
  readonly tokens: Tokens;
}

/**
 * Makes the control API of a console, which answers POST (an envelope) and GET (a bare value of the
 * tree).
 */
export function createControlApi(
  console: Console,
  { clock, scheduler, readBody, device, clients, history, tokens }: ControlApiWorld,
): (asked: HttpRequest) => Response | Promise<Response> {
  const admits = createTreeRate();

  function postEnvelope(asked: HttpRequest): Promise<Response> {
    const longest = longestMessage(console.state);
    return readBody(asked.request, longest, asked.client)
      .then((body) => body.outcome === "read" ? answerTo(asked, body) : unread(body, longest));
  }

  function answerTo(asked: HttpRequest, body: ReadBody): Response | Promise<Response> {
    body.release();
    const text = textIn(body.bytes);
    if (text === undefined) return notText();
    const { state } = console;
    const { client } = asked;
    const message = readMessage(
      state,
      text,
      (token) => tokens.identify(token ?? tokenBeside(asked), client) ?? asked.vouched?.user,
    );
    const isEnvelope = "method" in message;
    if (!isEnvelope && "limit" in message) return tooLong(message.limit);
    const request = isEnvelope ? completed(message, asked) : message;
    const status = isEnvelope || message.isObject ? 200 : 400;
    const caller = callerOf(asked, queryRefusal(asked.url));
    const given = answer(request, caller, needsTokenToPost(state.configuration));
    const answerText = whenKnown(given, (known) => textOf(request, known, scheduler, client));
    return whenKnown(answerText, (text) => answered(asked, text, status));
  }

  function callerOf(asked: HttpRequest, badQuery: Refusal | undefined): Caller {
    const { client: address, vouched } = asked;
    return {
      console,
      actor: { address, ...vouched },
      scheduler,
      device,
      clients,
      history,
      authenticate: (token) => authenticate(tokens, asked, token),
      refuseLate: (refusal) => tokens.refuseLate(refusal, address),
      badQuery,
    };
  }

  function answered(
    asked: HttpRequest,
    text: string,
    status?: number,
    headers?: ResponseHeaders,
  ): Response {
    const body = asked.bodyOf(text, asked.client);
    asked.waits = body instanceof ReadableStream;
    return jsonText(body, status, headers);
  }

  /** Carries out a `get` or `set` as for an envelope, and answers the bare value. */
  function getValue(asked: HttpRequest): Response | Promise<Response> {
    const { configuration } = console.state;
    const { perSecond } = configuration.limits.tree;
    if (perSecond > 0 && !admits(asked.client, clock.monotonic(), perSecond)) {
      const message = `expected at most ${perSecond} requests a second`;
      return refused(503, refuse("limitReached", message), { "retry-after": "1" });
    }
    const path = `/${treePath(asked)}`;
    const query = queryOf(asked.url);
    const written = query?.get("set") ?? undefined;
    if (written !== undefined && !configuration.restApi.writesByGet) {
      const refusal = refuse("malformed", "method: expected POST to write, got GET");
      console.tellRefused({ address: asked.client, call: "set" }, refusal, path);
      return refused(405, refusal, { allow: "POST" });
    }
    const flat = switchIn(query, "flat");
    const token = tokenBeside(asked);
    const request = written === undefined
      ? { method: "get", path, token, ...(query && extentIn(query)) }
      : { method: "set", path, token, payload: valueFromText(console, path, written) };
    const caller = callerOf(asked, queryRefusal(asked.url) ?? flatRefusal(flat));
    const outcome = carryOut(request, caller, needsTokenToGet(configuration));
    return whenKnown(outcome, (known) => valueOf(asked, known, flat === true));
  }

  function valueOf(
    asked: HttpRequest,
    outcome: Outcome<unknown>,
    isFlat: boolean,
  ): Response | Promise<Response> {
    if (isRefusal(outcome)) return refusedValue(outcome);
    const { result, durable } = outcome;
    const text = jsonOf(isFlat ? childNames(result as Tree) : result, scheduler, asked.client);
    const headers = durable === false ? NOT_DURABLE : {};
    return whenKnown(text, (known) => answered(asked, known, 200, headers));
  }

  return (asked) => {
    const refusal = refuseMethod(asked.request, "GET", "POST");
    if (refusal !== undefined) return refusal;
    return asked.request.method === "POST" ? postEnvelope(asked) : getValue(asked);
  };
}

type ReadBody = Extract<BodyOutcome, { readonly outcome: "read" }>;

/** Answers a request whose body could not be read; `longest` is the maximum size in bytes. */
export function unread({ outcome }: Exclude<BodyOutcome, ReadBody>, longest: number): Response {
  if (outcome === "tooLarge") return tooLong(longest);
  if (outcome === "evicted") {
    const refusal = refuse("limitReached", "too many messages are on their way");
    return json(failed({}, refusal), 503, { "retry-after": "1", ...CLOSE });
  }
  return json(failed({}, refuse("malformed", "the message is incomplete")), 408, CLOSE);
}

/** Refuses a message of more bytes than `limit`. */
export function tooLong(limit: number): Response {
  const refusal = refuse("limitReached", `the message is larger than ${limit} bytes`);
  return json(failed({}, refusal), 413, CLOSE);
}

/** Returns the text of a body; undefined where it is not UTF-8. */
export function textIn(bytes: Uint8Array): string | undefined {
  return decoded(bytes)?.replace(BYTE_ORDER_MARK, "");
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** Refuses a message that is not UTF-8. */
export function notText(): Response {
  return json(failed({}, refuse("malformed", "the message is not UTF-8")), 400);
}

/** Returns the envelope; a missing token or path is taken from its request. */
export function completed(envelope: Envelope, asked: HttpRequest): Envelope {
  const token = isGiven(envelope.token) ? envelope.token : tokenBeside(asked);
  const path = envelope.path === undefined ? treePath(asked) || undefined : envelope.path;
  const isComplete = token === envelope.token && path === envelope.path;
  return isComplete ? envelope : { ...envelope, token, path };
}

/** Returns the path of the tree that a request names. */
export function treePath({ url }: HttpRequest): string {
  const { pathname } = url;
  let start = CONTROL_API_PATH.length;
  let end = pathname.length;
  while (pathname[start] === "/") start++;
  while (end > start && pathname[end - 1] === "/") end--;
  const path = pathname.slice(start, end);
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The parameters of a query that the control API reads. */
const PARAMETERS = ["set", "flat", "depth", "only", "leaf", "token"];

/**
 * Refuses a query for the same faults as that of an action: wrong percent-encoding, or too many
 * parameters (1); a parameter that came more than once, where an empty token does not count (3). A
 * query without `%` and `&` has none of these faults.
 */
export function queryRefusal({ search }: Target): Refusal | undefined {
  if (!/[%&]/.test(search)) return undefined;
  const received = readQuery(search);
  if (isRefusal(received)) return received;
  for (const name of PARAMETERS) {
    const values = received.get(name) ?? [];
    const refusal = repeated(name === "token" ? values.filter(isGiven) : values, name);
    if (refusal !== undefined) return refusal;
  }
}

/**
 * Returns `depth`, `only` and `leaf` of a `get`. A `depth` that is not an integer, or a `leaf` that
 * is not a boolean, stays a string, which is refused.
 */
export function extentIn(query: URLSearchParams): Pick<Envelope, "depth" | "only" | "leaf"> {
  const depth = query.get("depth") ?? undefined;
  const isInteger = depth !== undefined && /^-?[0-9]+$/.test(depth);
  return {
    depth: isInteger ? Number(depth) : depth,
    only: query.get("only")?.split(","),
    leaf: switchIn(query, "leaf"),
  };
}

/** Refuses (3) a `flat` that is not a boolean, as `get` refuses such a `leaf`. */
export function flatRefusal(flat: boolean | string | undefined): Refusal | undefined {
  if (typeof flat !== "string") return undefined;
  return refuse("invalidParameter", `expected true or false, got ${shown(flat)}`, "flat");
}

/** Returns the value of a switch; a text that is not in `TRUTH` stays a string. */
export function switchIn(
  query: URLSearchParams | undefined,
  name: "flat" | "leaf",
): boolean | string | undefined {
  const text = query?.get(name) ?? undefined;
  return text === undefined ? undefined : TRUTH.get(text) ?? text;
}

/** The accepted texts of `?leaf=` and `?flat=`, with their values. */
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

/**
 * Returns the value of `?set=`: for a string leaf the text itself, for any other leaf the value of
 * the text as JSON. Text that is not JSON stays a string, which no other leaf accepts.
 */
function valueFromText({ state }: Console, path: string, text: string): unknown {
  const leaf = find(state.ranges as Branch, parsePath(path));
  if (typeof leaf === "object" && isLeafDefinition(leaf) && leaf.type === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The value alone is the body, so a header says that it is in force but not on the medium. */
const NOT_DURABLE = { durable: "false" };

const STATUS: ReadonlyMap<number, number> = new Map([
  [errorCodes.noRight, 403],
  [errorCodes.noSuchObject, 404],
  [errorCodes.notStored, 507],
]);

/** Refuses a request for a bare value. */
export function refusedValue(refusal: Refusal): Response {
  return refusal.code === errorCodes.notLoggedIn
    ? unauthorized(refusal)
    : refused(STATUS.get(refusal.code) ?? 400, refusal);
}
