/**
 * Requests that a browser sends for a page: which pages may, and what they need to read our answers
 * (cross-origin resource sharing; decisions.md, "pages"). What is no browser sends no `Origin`, and
 * is not touched; no page of an origin that is not listed gets any of these headers.
 *
 * @module
 */
import { PREFLIGHT_SECONDS } from "../core/limits.ts";

/**
 * What a page has for an origin that was opened from a disk, as the plugins of a Stream Deck are.
 */
const FILE = "file://";

/**
 * Whether a WebSocket may be opened: by pages of this host, by those from a disk, and by those of
 * an origin that is listed (`websocket.origins`).
 */
export function mayOpenWebSocket(request: Request, origins: readonly string[]): boolean {
  const origin = request.headers.get("origin");
  return origin === null || isOwn(request, origin) || isListed(origin, [FILE, ...origins]);
}

/**
 * Whether a browser sends a request for a page of another site that is not listed
 * (`restApi.origins`): then somebody's browser is being used against them. Over plain HTTP browsers
 * send no `Sec-Fetch-Site`; there a foreign `Origin` tells. Without either it is no browser, or a
 * plain link or image of a page.
 */
export function isForeignPage(request: Request, origins: readonly string[]): boolean {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === null) {
    return origin !== null && !isOwn(request, origin) && !isListed(origin, origins);
  }
  if (site !== "cross-site") return false;
  const page = origin ?? headers.get("referer");
  return page === null || !isListed(page, origins);
}

/** What a page may send. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": String(PREFLIGHT_SECONDS),
};

/** Headers of answers that a page may read beside those that it always may. */
const EXPOSED = {
  "access-control-expose-headers": "Content-Disposition, Deprecation, ETag, Retry-After",
};

/**
 * The answer to a request, so that the page of a listed origin may read it, whatever its status; by
 * `OPTIONS` a browser asks what such a page may send. What no page asks for says only that pages
 * get another answer, so that no cache gives them this one.
 */
export async function readableByPages(
  request: Request,
  origins: readonly string[],
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const origin = request.headers.get("origin");
  const isPage = origin !== null && isListed(origin, origins);
  const isPreflight = isPage && request.method === "OPTIONS";
  const response = isPreflight ? new Response(null, { status: 204 }) : await answer();
  if (isPage) {
    const headers = isPreflight ? PREFLIGHT : EXPOSED;
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    response.headers.set("access-control-allow-origin", origin);
  }
  if (isPage || origin === null) response.headers.append("vary", "Origin");
  return response;
}

function isOwn({ headers }: Request, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

/** Whether an address is of an origin that is listed: the same scheme, host and port. */
function isListed(address: string, origins: readonly string[]): boolean {
  const origin = originOf(address);
  return origins.some((listed) => originOf(listed) === origin);
}

/**
 * The origin of an address, in one form; `URL.origin` is "null" for every scheme but the web's. A
 * page without an origin, such as one in a sandbox, says "null" itself.
 */
function originOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
