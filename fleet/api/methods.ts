/**
 * The methods of the envelope at a hub: the methods of a console, without the methods of audio
 * engines.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import { cut } from "../../core/tree/get.ts";
import { type Branch, find, formatPath, parsePath, type Path } from "../../core/tree/tree.ts";
import {
  type Answer,
  type Envelope,
  failed,
  type Message,
  pathOf,
  succeeded,
} from "../../transport/control-api/envelope.ts";
import { extentOf } from "../../transport/methods/get.ts";
import { readCall } from "../../transport/methods/rpc.ts";
import { WEBSOCKET_ONLY } from "../../transport/methods/subscribe.ts";
import { NO_TOKEN } from "../../transport/request-token.ts";
import { isGiven } from "../../transport/tokens.ts";
import { unreachable } from "../hub/console-state.ts";
import type { Person } from "../hub/rights.ts";
import type { HubCaller } from "./method.ts";
import { fleetRpcMethods } from "./rpc-methods.ts";
import { seenTree } from "./seen.ts";

type Answered = Outcome<unknown> | Promise<Outcome<unknown>>;

/** A method of the envelope. */
type Method = (request: Envelope, caller: HubCaller) => Answered;

const methods: Readonly<Record<string, Method>> = { auth, get, rpc, set, subscribe, unsubscribe };

/** Whether a request may start while earlier ones of its connection wait for their answers. */
export function mayOverlap(request: Message): boolean {
  return "method" in request && request.method === "set" && !isGiven(request.token);
}

/** Answers a request. A `token` in it counts for this request alone. */
export async function answerAtHub(request: Message, caller: HubCaller): Promise<Answer> {
  if (!("method" in request)) return failed(request.message, request.refusal);
  const outcome = await carryOut(request, caller);
  return isRefusal(outcome) ? failed(request, outcome) : succeeded(request, outcome);
}

/** Carries a request out, as {@linkcode answerAtHub} does. */
export async function carryOut(request: Envelope, caller: HubCaller): Promise<Outcome<unknown>> {
  const { method: name, token } = request;
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) return refuse("unknownMethod", `there is no method ${shown(name)}`);
  const { actor, badQuery, core } = caller;
  if (method === auth) {
    const outcome = await auth(request, caller);
    return isRefusal(outcome) ? outcome : badQuery ?? outcome;
  }
  if (!isGiven(token)) {
    const isRefused = actor.user === undefined && core.anonymous === "none";
    return isRefused ? NO_TOKEN : badQuery ?? await method(request, caller);
  }
  const user = await core.authenticate(token, actor.from);
  if (isRefusal(user)) return user;
  caller.connection?.userCame();
  return badQuery ?? await method(request, { ...caller, actor: by(user, caller) });
}

function by(user: Person, { actor }: HubCaller) {
  return { ...actor, user };
}

/** Logs a connection in with a token; a wrong token logs it out. Over HTTP it only checks it. */
async function auth({ token }: Envelope, { core, actor, connection }: HubCaller) {
  const user = isGiven(token) ? await core.authenticate(token, actor.from) : NO_TOKEN;
  if (!isRefusal(user)) connection?.userCame();
  connection?.logIn(isRefusal(user) ? undefined : user);
  return isRefusal(user) ? user : { result: undefined };
}

function get(request: Envelope, caller: HubCaller): Outcome<unknown> {
  const path = pathOf(request);
  if (typeof path !== "string") return path;
  const extent = extentOf(request);
  if (extent !== undefined && isRefusal(extent)) return extent;
  const members = parsePath(path);
  const value = find(treeFor(caller, members), members);
  if (value === undefined) return nothingAt(members);
  return { result: extent === undefined ? value : cut(value, extent) };
}

/** Returns the tree as the user of a caller sees it, with the batch that a path names. */
function treeFor({ core, tree, batches, actor }: HubCaller, [root, id]: Path): Branch {
  const { user } = actor;
  // The batch may be in the ledger only: then this takes it into the memory.
  if (root === "batches" && id !== undefined) batches.find(id, actor);
  return { ...seenTree(core, user, tree.current()), batches: batches.shownTo(user) };
}

/** A `set` is passed on to the console that its path names, which checks the rights of the user. */
async function set(
  request: Envelope,
  { core, links, actor }: HubCaller,
): Promise<Outcome<unknown>> {
  const path = pathOf(request);
  if (typeof path !== "string") return path;
  const [root, id, ...below] = parsePath(path);
  if (root !== "consoles" || id === undefined) {
    return refuse("readOnly", "expected a path of one console, /consoles/{id}/...", "path");
  }
  const asked = { method: "set", path: formatPath(below), payload: request.payload };
  const answer = await links.ask(id, actor, asked);
  const refusal = isRefusal(answer) ? answer : answer.error;
  if (refusal !== undefined) {
    // A console that sends `told` frames reports its own refusals by them.
    const isTold = !isRefusal(answer) && core.consoles().get(id)?.summary.tells === true;
    const { user, from } = actor;
    const target = path;
    if (!isTold) {
      core.tell({ user: user?.name, from, what: "set", target, refused: refusal.message });
    }
    return refusal;
  }
  const { payload: result, durable } = answer as Exclude<typeof answer, Refusal>;
  return durable === undefined ? { result } : { result, durable };
}

function subscribe(request: Envelope, caller: HubCaller): Outcome<unknown> {
  const { connection } = caller;
  if (connection === undefined) return WEBSOCKET_ONLY;
  const path = pathOf(request);
  if (typeof path !== "string") return path;
  const members = parsePath(path);
  if (find(treeFor(caller, members), members) === undefined) return nothingAt(members);
  return connection.subscribe(members) ?? { result: undefined };
}

function unsubscribe(request: Envelope, { connection }: HubCaller): Outcome<unknown> {
  if (connection === undefined) return WEBSOCKET_ONLY;
  const path = pathOf(request);
  if (typeof path !== "string") return path;
  connection.unsubscribe(parsePath(path));
  return { result: undefined };
}

async function rpc(
  request: Envelope,
  { core, actor, batches, drift, backups }: HubCaller,
): Promise<Outcome<unknown>> {
  const called = readCall(request, fleetRpcMethods);
  if (isRefusal(called)) return called;
  const { method: { name, call }, params } = called;
  const result = await call(core, params, actor, { batches, drift, backups });
  return typeof result === "object" && result !== null && isRefusal(result)
    ? result
    : { result: { method: name, params, result } };
}

/** Refuses (6) a path without a value, and says where the rest of a console is. */
function nothingAt([root, id, ...below]: Path): Refusal {
  if (root === "consoles" && id !== undefined && below.length === 0) {
    return unreachable(undefined, id);
  }
  const path = shown(formatPath([root, id, ...below].filter((member) => member !== undefined)));
  const rest = root === "consoles" && id !== undefined
    ? `; all of a console is at /consoles/{id}/api/ws`
    : "";
  return refuse("noSuchObject", `there is nothing at ${path}${rest}`, "path");
}
