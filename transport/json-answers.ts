/**
 * Answers that are JSON: their texts, and their responses.
 *
 * @module
 */
import { type Refusal, refuse } from "../core/errors.ts";
import { isLarge, jsonSteps } from "../core/json.ts";
import type { CooperativeScheduler } from "../core/ports.ts";

/**
 * Returns the JSON text of a value, for an address: in steps if it is large. Only one large value
 * is written at a time, and addresses take turns.
 */
export function jsonOf(
  value: unknown,
  scheduler: CooperativeScheduler,
  address: string | undefined,
): string | Promise<string> {
  return isLarge(value)
    ? scheduler.withMutex(address, () => scheduler.run(jsonSteps(value), address))
    : JSON.stringify(value);
}

/** A response with a JSON body. */
export function json(value: unknown, status = 200, headers?: ResponseHeaders): Response {
  return jsonText(JSON.stringify(value), status, headers);
}

const JSON_HEADERS = { "content-type": "application/json" };

/** A response with a body that is JSON, written already. */
export function jsonText(body: BodyInit, status = 200, headers?: ResponseHeaders): Response {
  return new Response(body, {
    status,
    headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers },
  });
}

/** The response that says why something was refused. */
export function refused(
  status: number,
  { code, message }: Refusal,
  headers?: ResponseHeaders,
): Response {
  return json({ error: { code, message } }, status, headers);
}

/** The answer (500) to a request at which the service has failed. */
export function failure(): Response {
  return json({ error: { message: "the service failed to answer; its log says why" } }, 500);
}

/** The answer (404) to a request for a path that leads nowhere. */
export function notFound(path: string): Response {
  return refused(404, refuse("noSuchObject", `there is nothing at ${path}`));
}

/** The answer (405) to a request whose method is not allowed; undefined if it is allowed. */
export function refuseMethod({ method }: Request, ...allowed: string[]): Response | undefined {
  if (allowed.includes(method)) return undefined;
  const refusal = refuse("malformed", `expected ${allowed.join(" or ")}, got ${method}`);
  return refused(405, refusal, { allow: allowed.join(", ") });
}

/** Headers of a response, by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** The headers of an answer to a body that was not read to its end. */
export const CLOSE: ResponseHeaders = { connection: "close" };

/**
 * The response to a request that was refused before its interface was determined, in the form of
 * the control API as well as of the actions.
 */
export function refusedEitherWay(
  status: number,
  { code, message }: Refusal,
  headers?: ResponseHeaders,
): Response {
  return json({ error: { code, message }, Error: message }, status, headers);
}
