/**
 * The tokens of requests. An empty token counts as none (decisions.md, "Users").
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { isRefusal, type Refusal, refuse, renamed } from "../core/errors.ts";
import type { Console } from "../core/console.ts";
import { mayWithoutToken } from "../core/users/may.ts";
import type { Actor } from "../core/users/user.ts";
import type { HttpRequest } from "./arrival.ts";
import { queryOf } from "./target.ts";
import { refused } from "./json-answers.ts";
import { type Authenticated, isGiven, type Tokens } from "./tokens.ts";

/** The refusal of a request without a token where one is required. */
export const NO_TOKEN: Refusal = refuse(
  "notLoggedIn",
  "expected the token of a user, it is missing",
  "token",
);

/**
 * Says whether every request needs a token, even one for a picture or for metrics (decisions.md,
 * "Users", `auth` and `anonymous`).
 */
export function needsToken(configuration: Configuration): boolean {
  return mayWithoutToken(configuration) === undefined;
}

/** Says whether every action needs a token, not only actions that need a user (`restApi.auth`). */
export function needsTokenForActions(configuration: Configuration): boolean {
  return needsToken(configuration) || configuration.restApi.auth === "required";
}

/** Says whether an envelope over HTTP needs a token. */
export function needsTokenToPost(configuration: Configuration): boolean {
  return needsToken(configuration) || configuration.restApi.auth !== "none";
}

/**
 * Says whether `GET /api/rest`, which can write, too, needs a token. It shows the same tree as a
 * WebSocket, and so follows `websocket.auth` if `restApi.auth` does not require a token.
 */
export function needsTokenToGet(configuration: Configuration): boolean {
  const { restApi, websocket } = configuration;
  return needsToken(configuration) || restApi.auth === "required" ||
    (restApi.auth === "optional" && websocket.auth === "required");
}

/** Says whether every request over a WebSocket needs a token (`websocket.auth`). */
export function needsTokenOverWebSocket(configuration: Configuration): boolean {
  return needsToken(configuration) || configuration.websocket.auth === "required";
}

/** The token of a request outside its body: from the query, else from `Authorization: Bearer`. */
export function tokenBeside({ request, url }: HttpRequest): string | undefined {
  return queryOf(url)?.getAll("token").find(isGiven) ?? bearerToken(request);
}

/** The token of `Authorization: Bearer`. Other schemes are for others, such as a proxy. */
export function bearerToken({ headers }: Request): string | undefined {
  const header = headers.get("authorization") ?? "";
  return /^bearer[ \t]+(.+)$/i.exec(header)?.[1];
}

/** The answer to a token that is wrong, or missing where one is needed. */
export function unauthorized(refusal: Refusal): Response {
  return refused(401, refusal, { "www-authenticate": "Bearer" });
}

/** The call, in the audit trail, of a wrong token with a request that only reads. */
export const TOKEN_CALL = "token";

/** Refuses a wrong token of a request that only reads, and tells the audit trail. */
export function wrongToken(
  console: Console,
  { client, url }: HttpRequest,
  refusal: Refusal,
): Response {
  console.tellRefused({ address: client, call: TOKEN_CALL }, refusal, url.pathname);
  return unauthorized(refusal);
}

/**
 * The answer to a request for a picture or for metrics that lacks a token where one is needed, or
 * has a wrong one; undefined for all others.
 */
export async function readRefusal(
  console: Console,
  tokens: Tokens,
  asked: HttpRequest,
): Promise<Response | undefined> {
  const token = tokenBeside(asked);
  const needed = needsToken(console.state.configuration);
  if (token === undefined && needed && asked.vouched?.user === undefined) {
    return unauthorized(NO_TOKEN);
  }
  const actor = await authenticateActor(tokens, asked, token);
  return isRefusal(actor) ? wrongToken(console, asked, actor) : undefined;
}

/**
 * Authenticates a request by its token, as `Tokens` does. A refusal names `Authorization` if the
 * token came in that header.
 */
export function authenticate(
  tokens: Tokens,
  { client, request }: HttpRequest,
  token: unknown,
): Authenticated {
  const user = tokens.authenticate(token, client);
  const named = (refusal: Refusal) =>
    token === bearerToken(request) ? renamed(refusal, { token: "Authorization" }) : refusal;
  if (user instanceof Promise) return user.then(named);
  return isRefusal(user) ? named(user) : user;
}

/**
 * Authenticates the actor of a request, which without a token is the user that the fleet vouches
 * for, or nobody. A wrong token is refused (4), maybe with a delay.
 */
export function authenticateActor(
  tokens: Tokens,
  asked: HttpRequest,
  token: unknown,
): Actor | Refusal | Promise<Refusal> {
  const { client: address, vouched } = asked;
  if (!isGiven(token)) return { address, ...vouched };
  const user = authenticate(tokens, asked, token);
  return user instanceof Promise || isRefusal(user) ? user : { user, address };
}
