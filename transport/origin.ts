/**
 * Requests of pages in browsers: the origins that may send them, and the CORS headers that let
 * pages read the answers (decisions.md, "pages"). Clients that are not browsers send no `Origin`
 * and are always allowed. Pages of origins that are not listed get none of these headers.
 *
 * @module
 */
import { type Refusal, refuse } from "../core/errors.ts";
import { PREFLIGHT_SECONDS } from "../core/limits.ts";
import { shown } from "../core/shown.ts";
import { hostOf, parsedUrl } from "./host.ts";

/** The origin of a page opened from a file, such as the plugins of a Stream Deck. */
const FILE = "file://";

/** The call, in the audit trail, of a request by a page of another site. */
export const PAGE_CALL = "page of another site";

/**
 * Whether a WebSocket may be opened: pages of this host, pages from files, and pages of a listed
 * origin (`websocket.origins`) may.
 */
export function mayOpenWebSocket(request: Request, origins: readonly string[]): boolean {
  const { headers } = request;
  const origin = headers.get("origin");
  return origin === null || headers.get("sec-fetch-site") === "same-origin" ||
    isOwn(request, origin) || isListed(origin, [FILE, ...origins]);
}

/** The refusal of a WebSocket for a page of another origin, or behind a proxy that hides ours. */
export function originRefusal(request: Request): Refusal {
  const { headers } = request;
  const called = `${schemeOf(request)}://${hostOf(request)}`;
  return refuse(
    "noRight",
    `expected ${shown(called)}, by the "Host" that came, or one of websocket.origins, got ` +
      `${shown(headers.get("origin"))}; a proxy must hand on "Host" with its port (nginx: ` +
      `proxy_set_header Host $http_host) and, where it speaks TLS, "X-Forwarded-Proto"`,
    "Origin",
  );
}

/**
 * Whether a browser sends a request for a page of another origin that is not listed
 * (`restApi.origins`): then the browser may be abused against its user. That page may be on another
 * host or port of the same site. Over plain HTTP browsers send no `Sec-Fetch-Site`; there a foreign
 * `Origin` shows it, or, for a link or an image, a foreign `Referer`. A request without any of
 * these headers is not from a browser, or is a link or an image of a page that hides its origin:
 * `restApi.writesByGet` protects against these.
 */
export function isForeignPage(request: Request, origins: readonly string[]): boolean {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return false;
  const page = headers.get("origin") ?? headers.get("referer");
  if (page === null) return site !== null;
  return !isListed(page, origins) && (site === "cross-site" || !isOwn(request, page));
}

/**
 * Whether a browser sent a request: all browsers send a header that says so, which no page can
 * suppress.
 */
export function isBrowsers({ headers }: Request): boolean {
  return headers.get("user-agent")?.startsWith("Mozilla/") === true;
}

/**
 * Prevents a browser from guessing the type of an answer. Other clients do not get this header,
 * because a second header makes each small answer a sixth more expensive.
 */
export async function unsniffed(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  // The answer to a WebSocket upgrade has no type.
  if (response.status !== 101) response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/** The answer to a preflight: the requests that a page may send. */
const PREFLIGHT = {
  "access-control-allow-methods": "GET, HEAD, POST",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": String(PREFLIGHT_SECONDS),
};

/** The headers of answers that a page may read in addition to those that CORS always allows. */
const EXPOSED = {
  "access-control-expose-headers": "Content-Disposition, Deprecation, Durable, ETag, Retry-After",
};

/**
 * The answer to a request, with headers that let the page of a listed origin read it, whatever its
 * status; by `OPTIONS` a browser asks which requests such a page may send. The answer to a request
 * without `Origin` only gets `Vary`, so that no cache gives it to pages.
 */
export async function withCorsHeaders(
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

/** Whether an address has the scheme, the host and the port of the target of a request. */
function isOwn(request: Request, address: string): boolean {
  const own = parsedUrl(`${schemeOf(request)}://${hostOf(request)}`);
  return own !== undefined && own.origin === parsedUrl(address)?.origin;
}

/**
 * The scheme by which a browser sent a request. A proxy that terminates TLS for us says so in a
 * header, which no page can make a browser send to another origin without a preflight (CORS).
 */
function schemeOf({ headers, url }: Request): string {
  const [first = ""] = (headers.get("x-forwarded-proto") ?? "").split(",", 1);
  const forwarded = first.trim().toLowerCase();
  const isWeb = forwarded === "http" || forwarded === "https";
  return isWeb ? forwarded : new URL(url).protocol.slice(0, -1);
}

/** Whether the origin of an address is listed: the same scheme, host and port. */
function isListed(address: string, origins: readonly string[]): boolean {
  const origin = originOf(address);
  return origins.some((listed) => originOf(listed) === origin);
}

/**
 * The origin of an address, in one form; `URL.origin` is "null" for every scheme but the web's. A
 * page without an origin, such as a sandboxed page, sends "null" itself.
 */
function originOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
