/**
 * Pictures as device views fetch them: `/pictures/<id>`.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { isRefusal, refuse } from "../core/errors.ts";
import { findPicture } from "../core/pictures/resource.ts";
import { shown } from "../core/shown.ts";
import { json } from "./json.ts";
import type { RequestTarget } from "./target.ts";
import { pictureResponse } from "./picture-response.ts";
import { actorOf, tokenBeside, unauthorized } from "./token.ts";

/** Where pictures are; the number of a resource follows. */
export const PICTURE_PATH = "/pictures/";

/** Answers a request for a picture. */
export function picture(
  { state }: Console,
  request: Request,
  target: RequestTarget,
): Response {
  if (request.method !== "GET" && request.method !== "HEAD") {
    const error = refuse("malformed", `expected GET or HEAD, got ${request.method}`);
    return json({ error }, 405, { allow: "GET, HEAD" });
  }
  const actor = actorOf(state, tokenBeside(request, target));
  if (isRefusal(actor)) return unauthorized(actor);
  const id = target.pathname.slice(PICTURE_PATH.length);
  const found = /^\d{1,9}$/.test(id)
    ? findPicture(state, Number(id))
    : refuse("noSuchObject", `there is no picture ${shown(id)}`);
  if (!isRefusal(found)) return pictureResponse(request, found.bytes, found.version);
  const { code, message } = found;
  return json({ error: { code, message } }, 404);
}
