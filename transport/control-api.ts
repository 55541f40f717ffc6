/**
 * The control API over HTTP: `/api/rest` (decisions.md, "Control API endpoints"; control-tree.md,
 * "Messages (HTTP)").
 *
 * @module
 */
import type { Pacer } from "../core/ports.ts";
import type { Console } from "../core/console.ts";
import { errorCodes, isRefusal, type Refusal, refuse } from "../core/errors.ts";
import { childNames, get } from "../core/tree/get.ts";
import { isLarge, jsonSteps } from "../core/json-pieces.ts";
import { isLeafDefinition } from "../core/tree/leaf.ts";
import { type Branch, find, parsePath } from "../core/tree/tree.ts";
import { set } from "../core/tree/set.ts";
import { shown } from "../core/shown.ts";
import { readBody } from "./body.ts";
import { type Envelope, failed, parseEnvelope } from "./envelope.ts";
import { CLOSE, json, jsonText } from "./json.ts";
import { longestMessage, mayBeSetSnapshot, messageLimit } from "./message-limit.ts";
import type { Surroundings } from "./methods/method.ts";
import { answer, textOf } from "./methods/table.ts";
import type { RequestTarget } from "./target.ts";
import {
  actorOf,
  isGiven,
  needsToken,
  NO_TOKEN,
  tokenBeside,
  unauthorized,
  userOf,
} from "./token.ts";

/** Where the control API is; the path of the tree may follow. */
export const CONTROL_API_PATH = "/api/rest";

/** Answers POST (an envelope) and GET (a bare value of the control tree). */
export function controlApi(
  console: Console,
  request: Request,
  target: RequestTarget,
  world: Surroundings,
): Response | Promise<Response> {
  if (request.method === "POST") return postEnvelope(console, request, target, world);
  if (request.method === "GET") return getValue(console, request, target, world.pacer);
  const error = refuse("malformed", `method: expected GET or POST, got ${request.method}`);
  return json({ error }, 405, { allow: "GET, POST" });
}

async function postEnvelope(
  console: Console,
  request: Request,
  target: RequestTarget,
  { pacer, clients }: Surroundings,
): Promise<Response> {
  const { state } = console;
  const body = await readBody(request, longestMessage(state));
  if (body.outcome === "tooLarge") return tooLarge(longestMessage(state));
  if (body.outcome !== "read") {
    return json(failed({}, refuse("malformed", "the message did not come whole")), 408, CLOSE);
  }
  const text = utf8(body.bytes);
  if (text === undefined) {
    return json(failed({}, refuse("malformed", "the message is no UTF-8")), 400);
  }
  const { maxMessageBytes } = state.configuration.limits;
  if (body.bytes.length > maxMessageBytes) {
    const user = userOf(state, tokenBeside(request, target));
    if (!mayBeSetSnapshot(state, text, user)) return tooLarge(maxMessageBytes);
  }
  const envelope = parseEnvelope(text);
  const limit = messageLimit(state, envelope);
  if (body.bytes.length > limit) return tooLarge(limit);
  if ("refusal" in envelope) {
    return json(failed(envelope.message, envelope.refusal), envelope.isObject ? 200 : 400);
  }
  const asked = completed(envelope, request, target);
  // The next request of a client over HTTP is another one's: nothing waits for this. What hears over a
  // WebSocket only is refused for that.
  const world = { pacer, clients, hold: () => () => {}, mayHear: () => true };
  const tokenRequired = needsToken(console.state.configuration).toPost;
  const given = await answer(asked, { console, actor: {}, world }, tokenRequired);
  const answered = textOf(asked, given, pacer);
  return jsonText(answered instanceof Promise ? await answered : answered);
}

function tooLarge(limit: number): Response {
  const refusal = refuse("limitReached", `the message is larger than ${limit} bytes`);
  return json(failed({}, refusal), 413, CLOSE);
}

/** The envelope, with the token and the path of its request where it has none itself. */
function completed(envelope: Envelope, request: Request, target: RequestTarget): Envelope {
  const { token, path } = envelope;
  const below = treePath(target);
  return {
    ...envelope,
    token: isGiven(token) ? token : tokenBeside(request, target),
    ...(path === undefined && below !== "" ? { path: below } : {}),
  };
}

async function getValue(
  console: Console,
  request: Request,
  target: RequestTarget,
  pacer: Pacer,
): Promise<Response> {
  const token = tokenBeside(request, target);
  if (token === undefined && needsToken(console.state.configuration).toGet) {
    return unauthorized(NO_TOKEN);
  }
  const actor = actorOf(console.state, token);
  if (isRefusal(actor)) return unauthorized(actor);
  const query = new URLSearchParams(target.search);
  const path = treePath(target);
  const written = query.get("set");
  if (written !== null) {
    const value = valueFromText(console, path, written);
    if (isRefusal(value)) return failure(value);
    const outcome = await console.dispatch(set(path, value.value), actor);
    return isRefusal(outcome) ? failure(outcome) : json(outcome.result);
  }
  const found = get(console, path);
  if (isRefusal(found)) return failure(found);
  const { value } = found;
  if (query.get("flat") === "true") return json(childNames(value));
  return isLarge(value)
    ? jsonText(await pacer.alone(() => pacer.run(jsonSteps(value))))
    : json(value);
}

/** The path of the tree that a target names. */
function treePath({ pathname }: RequestTarget): string {
  const path = pathname.slice(CONTROL_API_PATH.length).replace(/^\/+|\/+$/g, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What `?set=` means: text as it stands for a leaf that holds text, else JSON. */
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

const STATUS: ReadonlyMap<number, number> = new Map([
  [errorCodes.notLoggedIn, 401],
  [errorCodes.noRight, 403],
  [errorCodes.noSuchObject, 404],
  [errorCodes.notStored, 507],
]);

function failure({ code, message }: Refusal): Response {
  return json({ error: { code, message } }, STATUS.get(code) ?? 400);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
