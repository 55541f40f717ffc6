/**
 * `GET /health` tells monitoring whether the service is ready. It needs no token and no particular
 * `Host`, and tells nothing of the console but the state of its medium and its engines.
 *
 * @module
 */
import { engineState } from "../core/engines/engines.ts";
import type { State } from "../core/state.ts";
import { storageOf } from "../core/storage-alarm.ts";
import { json, refuseMethod } from "./json-answers.ts";

/** The path of the health check. */
export const HEALTH_PATH = "/health";

/**
 * Answers a request for the health: 200 with `{"live": true, "ready": true, "storage": "ok",
 * "engine": "none"}`. It is 200 even if the medium fails: the console continues in degraded mode,
 * and a restart would lose changes in force. `storage` and `engine` have the values of
 * `general/_storage` and `_engine`.
 */
export function health(request: Request, state: State): Response {
  const refused = refuseMethod(request, "GET", "HEAD");
  if (refused !== undefined) return refused;
  const storage = storageOf(state);
  const engine = engineState(state.engines);
  const headers = { "cache-control": "no-store" };
  const answer = json({ live: true, ready: true, storage, engine }, 200, headers);
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}
