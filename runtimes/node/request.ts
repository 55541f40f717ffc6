/**
 * A request of Node's server as a web-standard `Request`.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/**
 * Makes a `Request`. Its `url` and its `method` are exactly as sent: a `Request` would resolve `..`
 * in the URL, and refuse some methods. Without a `Host`, which only HTTP/1.0 may leave out, it is a
 * path alone. The body of a GET or HEAD is left unread.
 */
export function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", rawHeaders, url: target = "/" } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  const { encrypted } = incoming.socket as { readonly encrypted?: boolean };
  const scheme = encrypted === true ? "https" : "http";
  const host = headers.get("host");
  // The first segment of the path must not become the host. An empty `Host` has to be refused by
  // its header: a URL has no empty host.
  const url = target.startsWith("/") && host !== null
    ? `${scheme}://${host || "localhost"}${target}`
    : target;
  const hasBody = method !== "GET" && method !== "HEAD" && saysBody(headers);
  // `duplex` is missing in the web's own types; Node takes no body without it.
  const init = hasBody
    ? { method: "POST", headers, body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }
    : { headers };
  const request = new Request("http://localhost/", init as RequestInit);
  return Object.defineProperties(request, { url: { value: url }, method: { value: method } });
}

function saysBody(headers: Headers): boolean {
  const length = headers.get("content-length");
  return headers.has("transfer-encoding") || length !== null && length !== "0";
}
