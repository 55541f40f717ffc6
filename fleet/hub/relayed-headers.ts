/**
 * The headers of requests and answers that a hub passes on.
 *
 * @module
 */
import type { RequestHead } from "../exchange.ts";

/** The headers of requests that reach a console. */
const REQUEST_HEADERS = [
  "accept",
  "accept-encoding",
  "accept-language",
  "authorization",
  "content-type",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "range",
  "user-agent",
];

/** The headers of answers that reach a client. */
const RESPONSE_HEADERS = new Set([
  "allow",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-range",
  "content-type",
  "deprecation",
  "durable",
  "etag",
  "last-modified",
  "retry-after",
  "vary",
  "www-authenticate",
]);

/** A page that a console might send has the origin of the hub, so it may run nothing there. */
const INERT = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

/** Returns the headers of an answer of a console, with which a browser runs no script in it. */
export function inert(given: Iterable<readonly [name: string, value: string]>): Headers {
  const headers = new Headers(INERT);
  for (const [name, value] of given) {
    if (RESPONSE_HEADERS.has(name.toLowerCase())) headers.append(name, value);
  }
  return headers;
}

/** Returns the headers of a request that a console gets. */
export function requestHeaders({ headers }: Request): RequestHead["headers"] {
  return REQUEST_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
}
