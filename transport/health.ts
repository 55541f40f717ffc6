/**
 * `GET /health`: whether the service is ready, for monitoring. It needs no token and
 * no certain `Host`, and tells nothing of the console but how its medium and its engines are.
 *
 * @module
 */
import { engineState } from "../core/engines/engines.ts";
import type { State } from "../core/state.ts";
import { storageOf } from "../core/storage-alarm.ts";
import { json, refuseMethod } from "./json.ts";

/** Where health is asked for. */
export const HEALTH_PATH = "/health";

/**
 * Answers a request for the health: 200 with `{"ready": true, "storage": "ok", "engine": "none"}`. It is 200 also
 * where the medium fails: the console answers and plays on, and to start it anew would lose what is
 * in force. `storage` and `engine` say what `general/_storage` and `_engine` do.
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
