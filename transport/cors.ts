/**
 * Cross-origin resource sharing: what a page of a listed origin (`restApi.origins`) needs to read our
 * answers. No other page gets any of these headers (decisions.md, "pages").
 *
 * @module
 */
import { PREFLIGHT_SECONDS } from "../core/limits.ts";

/** Headers of answers that a page may read beside those that it always may. */
const EXPOSED = "Content-Disposition, Deprecation, ETag, Retry-After";

/** The answer to `OPTIONS`, by which a browser asks what a page may send. */
export function preflight(origin: string): Response {
  const headers = {
    "access-control-allow-methods": "GET, HEAD, POST",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": String(PREFLIGHT_SECONDS),
  };
  return allowed(new Response(null, { status: 204, headers }), origin);
}

/**
 * An answer that the page of a listed `origin` may read, whatever its status. What is asked for by no
 * page says only that pages get another answer, so that no cache gives them this one.
 */
export function forOrigin(
  response: Response,
  request: Request,
  origin: string | undefined,
): Response {
  if (origin !== undefined) {
    response.headers.set("access-control-expose-headers", EXPOSED);
    return allowed(response, origin);
  }
  if (!request.headers.has("origin")) response.headers.append("vary", "Origin");
  return response;
}

function allowed(response: Response, origin: string): Response {
  response.headers.set("access-control-allow-origin", origin);
  response.headers.append("vary", "Origin");
  return response;
}
