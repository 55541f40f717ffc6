/**
 * A request over HTTP that a hub passes on to a console: with its user, and without the token of
 * the fleet.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { CooperativeScheduler } from "../../core/ports.ts";
import type { HttpRequest } from "../../transport/arrival.ts";
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import { writtenToken } from "../../transport/control-api/envelope.ts";
import { isFile, parseMultipart, PARTS } from "../../transport/intake/multipart.ts";
import type { BodyReader } from "../../transport/intake/body.ts";
import { refusedEitherWay } from "../../transport/json-answers.ts";
import { bearerToken, NO_TOKEN, unauthorized } from "../../transport/request-token.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import { isGiven } from "../../transport/tokens.ts";
import type { Hub } from "./hub.ts";
import { INSPECTED_BODY_BYTES } from "./hub-limits.ts";
import { mayHaveToken, parseMessage } from "./message-token.ts";
import type { Person } from "./rights.ts";
import type { ConsoleId } from "../wire.ts";

/** The parameters of a query or a form that are tokens. */
const TOKEN_PARAMETERS = ["token", "Token"];

/** The user of a request, by its token; undefined without a token of the fleet. */
type Asker = { readonly user: Person | undefined } | Refusal;

/** Passes a request on to a console; `path` is the path at the console. */
export async function relayRequest(
  hub: Hub,
  { readBody, scheduler }: {
    readonly readBody: BodyReader;
    readonly scheduler: CooperativeScheduler;
  },
  id: ConsoleId,
  path: string,
  asked: HttpRequest,
): Promise<Response> {
  const { request, client, url } = asked;
  const query = new URLSearchParams(url.search);
  const headers = new Headers(request.headers);
  const inQuery = TOKEN_PARAMETERS.flatMap((name) => query.getAll(name)).find(isGiven);
  const inHeader = bearerToken(request);
  // Other authorization schemes are for a proxy.
  if (inHeader === undefined) headers.delete("authorization");
  let asker = await askerOf(hub, inQuery ?? inHeader, client);
  if (isRefusal(asker)) return unauthorized(asker);
  if (asker.user !== undefined) headers.delete("authorization");
  const isSmall = Number(request.headers.get("content-length") ?? Infinity) <= INSPECTED_BODY_BYTES;
  let body: BodyInit | null = request.body;
  let inspected: Uint8Array<ArrayBuffer> | undefined;
  let release = () => {};
  if (request.method === "POST" && (asker.user === undefined || isSmall)) {
    const read = await readBody(request, INSPECTED_BODY_BYTES, client);
    if (read.outcome !== "read") return unread(read.outcome);
    release = read.release;
    body = inspected = read.bytes;
  }
  try {
    if (inspected !== undefined) {
      const type = request.headers.get("content-type") ?? "";
      const found = isMultipart(type) && !path.startsWith(CONTROL_API_PATH)
        ? await inForm(type, inspected, scheduler, client)
        : inBody(hub, path, type, inspected, asker.user);
      if (found !== undefined && isRefusal(found)) return refusedEitherWay(400, found);
      if (found !== undefined) {
        asker = await askerOf(hub, found.token, client);
        if (isRefusal(asker)) return unauthorized(asker);
        if (asker.user !== undefined) body = found.without;
        // A form made anew has another boundary.
        if (body instanceof FormData) headers.delete("content-type");
      }
    }
    if (asker.user === undefined && hub.anonymous === "none") {
      await request.body?.cancel().catch(() => {});
      return unauthorized(NO_TOKEN);
    }
    const search = asker.user === undefined ? url.search : withoutTokens(url.search);
    const { method } = request;
    const hasBody = method !== "GET" && method !== "HEAD";
    const passedOn = new Request(`http://localhost${path}${search}`, {
      method,
      headers,
      ...(hasBody ? { body, duplex: "half" } : {}),
    } as RequestInit);
    return await hub.fetch(id, asker.user, client, passedOn);
  } finally {
    // The hub holds the body until the console has answered.
    release();
  }
}

/** Returns a query without its tokens; the rest stays as it was sent, for the console to judge. */
function withoutTokens(search: string): string {
  const pairs = search.slice(1).split("&").filter((pair) => {
    const parsed = new URLSearchParams(pair);
    return !TOKEN_PARAMETERS.some((name) => parsed.has(name));
  });
  const left = pairs.join("&");
  return left === "" ? "" : `?${left}`;
}

/**
 * Returns the user of a request; a token that is not a token of the fleet is left to the console to
 * judge.
 */
async function askerOf(hub: Hub, token: unknown, client: string): Promise<Asker> {
  if (!isGiven(token)) return { user: undefined };
  const user = hub.people.ofToken(token);
  if (user !== undefined || hub.anonymous === "console") return { user };
  return await hub.refuseLate(BAD_TOKEN, client);
}

function isMultipart(type: string): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(type);
}

/** Returns the token of a form of several parts, and the form without it; undefined without one. */
async function inForm(
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
  scheduler: CooperativeScheduler,
  client: string,
): Promise<{ readonly token: unknown; readonly without: FormData } | Refusal | undefined> {
  const parts = await scheduler.run(parseMultipart(type, bytes), client);
  if (isRefusal(parts)) return parts;
  const token = parts.filter(({ name }) => name === "Token").map(({ value }) => value).find(
    isGiven,
  );
  if (token === undefined) return undefined;
  const without = new FormData();
  for (const { name, value } of parts.filter(({ name }) => name !== "Token")) {
    if (isFile(value)) {
      without.append(name, new Blob([value.bytes as Uint8Array<ArrayBuffer>]), value.name);
    } else without.append(name, value);
  }
  return { token, without };
}

/** Returns the token of a message or of a form, and the body without it; undefined without one. */
function inBody(
  hub: Hub,
  path: string,
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
  user: Person | undefined,
): { readonly token: unknown; readonly without: string } | Refusal | undefined {
  const text = new TextDecoder().decode(bytes);
  if (path.startsWith(CONTROL_API_PATH)) {
    if (!mayHaveToken(text)) return undefined;
    // A sender with a valid token is a user, wherever the token stands.
    const sender = user ?? hub.people.ofToken(writtenToken(text));
    const parsed = parseMessage(text, sender === undefined ? "stranger" : "user");
    if (isRefusal(parsed)) return parsed;
    // The console itself refuses a text that is not a message.
    const { token, ...others } = parsed.message ?? {};
    return isGiven(token) ? { token, without: JSON.stringify(others) } : undefined;
  }
  if (!type.toLowerCase().startsWith("application/x-www-form-urlencoded")) return undefined;
  if (text.split("&", PARTS + 1).length > PARTS) {
    return refuse("malformed", `the body has more than ${PARTS} parameters`);
  }
  const form = new URLSearchParams(text);
  const token = form.getAll("Token").find(isGiven);
  form.delete("Token");
  return token === undefined ? undefined : { token, without: form.toString() };
}

function unread(outcome: string): Response {
  if (outcome === "tooLarge") {
    const sentence = `a body of more than ${INSPECTED_BODY_BYTES} bytes needs a token in ` +
      "Authorization";
    return refusedEitherWay(413, refuse("limitReached", sentence));
  }
  return refusedEitherWay(408, refuse("malformed", "the body is incomplete"));
}
