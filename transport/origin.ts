/**
 * Requests that a browser sends for another site's page.
 *
 * @module
 */

/**
 * Whether a request, such as a WebSocket upgrade, comes from a page of this host or of a listed origin
 * (`websocket.origins`). What is no browser sends no `Origin`, and is not touched.
 */
export function isOwnOrigin(request: Request, origins: readonly string[]): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return true;
  return hostOf(origin) === request.headers.get("host") ||
    isListed(origin, origins);
}

/**
 * Whether a browser sends a request for a page of another site that is not listed
 * (`restApi.origins`): then somebody's browser is being used against them. Over plain HTTP browsers
 * send no `Sec-Fetch-Site`; there a foreign `Origin` tells. Without either it is no browser, or a
 * plain link or image of a page.
 */
export function isForeignPage(request: Request, origins: readonly string[]): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site === null) return !isOwnOrigin(request, origins);
  if (site !== "cross-site") return false;
  const origin = request.headers.get("origin") ?? request.headers.get("referer");
  return origin === null || !isListed(origin, origins);
}

/** Whether an address is on a site that is listed: the same scheme, host and port. */
function isListed(address: string, origins: readonly string[]): boolean {
  if (!URL.canParse(address)) return false;
  const { origin } = new URL(address);
  return origins.some((listed) => new URL(listed).origin === origin);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
