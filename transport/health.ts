/**
 * `GET /health`: whether the service is ready, for whoever watches over it. It needs no token and
 * no certain `Host`, and tells nothing of the console.
 *
 * @module
 */
import { refuse } from "../core/errors.ts";
import { json, refused } from "./json.ts";

/** Where health is asked for. */
export const HEALTH_PATH = "/health";

/** Answers a request for the health: 200 with `{"ready": true}`. */
export function health({ method }: Request): Response {
  if (method !== "GET" && method !== "HEAD") {
    const refusal = refuse("malformed", `expected GET or HEAD, got ${method}`);
    return refused(405, refusal, { allow: "GET, HEAD" });
  }
  const answer = json({ ready: true }, 200, { "cache-control": "no-store" });
  return method === "HEAD" ? new Response(null, answer) : answer;
}
