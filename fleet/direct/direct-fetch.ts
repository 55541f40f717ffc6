/**
 * Requests over HTTP to a console that the hub dials.
 *
 * @module
 */
import { refuse } from "../../core/errors.ts";
import { after, type Timer } from "../../core/ports.ts";
import { refused } from "../../transport/json-answers.ts";
import { EXCHANGE_MS } from "../hub/hub-limits.ts";
import { inert, requestHeaders } from "../hub/relayed-headers.ts";

/** Maximum time in ms that a console has for a request with a body, such as an archive. */
const UPLOAD_MS = 10 * 60_000;

/** The address of a console, the token for it, and the ports of {@link fetchDirect}. */
export interface DirectTarget {
  /** The address of its web server, without a slash at its end. */
  readonly base: string;
  /** The token of the hub's user there; without it the request is anonymous. */
  readonly token: string | undefined;
  readonly timer: Timer;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Passes a request on to a console, and returns its answer. Refuses with status 503 if the console
 * cannot be reached or does not answer in time.
 */
export async function fetchDirect(
  request: Request,
  { base, token, timer, fetch }: DirectTarget,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers();
  for (const [name, value] of requestHeaders(request)) headers.set(name, value);
  // The hub's own HTTP client would decompress a compressed answer.
  headers.set("accept-encoding", "identity");
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const { method, body } = request;
  const late = new AbortController();
  const ms = body === null ? EXCHANGE_MS : UPLOAD_MS;
  const stopWaiting = after(timer, ms, () => late.abort());
  const signal = AbortSignal.any([late.signal, request.signal]);
  const init = { method, headers, body, redirect: "manual", duplex: "half", signal };
  try {
    const answer = await fetch(`${base}${pathname}${search}`, init as RequestInit);
    return new Response(answer.body, {
      status: answer.status,
      headers: inert(answer.headers),
    });
  } catch {
    return refused(503, refuse("noSuchObject", "the console did not answer"));
  } finally {
    stopWaiting();
  }
}
