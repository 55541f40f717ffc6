/**
 * Serves pictures to device views at `/pictures/<id>`. Clients cache pictures and revalidate them
 * each time with `If-None-Match`, so a replaced picture is shown at once, and an unchanged one is
 * not sent again.
 *
 * @module
 */
import { ifNoneMatch } from "@std/http/etag";
import type { Console } from "../core/console.ts";
import { isRefusal, refuse } from "../core/errors.ts";
import { findPicture } from "../core/pictures/resource.ts";
import { shown } from "../core/shown.ts";
import type { HttpRequest } from "./arrival.ts";
import { refused, refuseMethod } from "./json-answers.ts";
import { readRefusal } from "./request-token.ts";
import type { Tokens } from "./tokens.ts";

/** The path of pictures; the number of a resource follows. */
export const PICTURE_PATH = "/pictures/";

/** Answers a request for a picture. */
export async function picture(
  console: Console,
  tokens: Tokens,
  asked: HttpRequest,
): Promise<Response> {
  const { request, url } = asked;
  const refusal = refuseMethod(request, "GET", "HEAD") ??
    await readRefusal(console, tokens, asked);
  if (refusal !== undefined) return refusal;
  const id = url.pathname.slice(PICTURE_PATH.length);
  const found = /^\d{1,9}$/.test(id)
    ? findPicture(console.state, Number(id))
    : refuse("noSuchObject", `there is no picture ${shown(id)}`);
  if (isRefusal(found)) return refused(404, found);
  asked.waits = true;
  return pictureResponse(
    request,
    found.bytes,
    found.version,
    (content) => asked.bodyOf(content, asked.client),
  );
}

/**
 * Answers a GET or HEAD of a picture: 200 with the PNG (HEAD: with its headers only), or 304 if
 * `If-None-Match` names the `ETag` of the picture. The caller has checked the picture and the
 * method.
 *
 * `version` changes with every replacement, and consists of letters, digits, `-` and `_`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
 * const first = pictureResponse(new Request("http://console.test"), png, "9f86d081");
 * const headers = { "If-None-Match": first.headers.get("ETag")! };
 * const again = pictureResponse(new Request("http://console.test", { headers }), png, "9f86d081");
 * assertEquals([first.status, again.status], [200, 304]);
 * ```
 */
export function pictureResponse(
  request: Request,
  bytes: Uint8Array,
  version: string,
  bodyOf: (bytes: Uint8Array<ArrayBuffer>) => BodyInit = (bytes) => bytes,
): Response {
  const etag = `"${version}"`;
  const headers = new Headers({
    "cache-control": "no-cache",
    "cross-origin-resource-policy": "same-origin",
    "etag": etag,
    "x-content-type-options": "nosniff",
  });
  if (!ifNoneMatch(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers.set("content-type", "image/png");
  // The type of a response excludes shared memory, which these bytes never are.
  const body = request.method === "HEAD" ? null : bodyOf(bytes as Uint8Array<ArrayBuffer>);
  headers.set("content-length", String(bytes.length));
  return new Response(body, { headers });
}
