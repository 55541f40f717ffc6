/**
 * The requests of monitoring to a hub: its health and its metrics.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import type { HttpRequest } from "../../transport/arrival.ts";
import { json, refused, refuseMethod } from "../../transport/json-answers.ts";
import { METRICS_MEDIA } from "../../transport/metrics.ts";
import { NO_TOKEN, tokenBeside, unauthorized } from "../../transport/request-token.ts";
import type { Hub } from "./hub.ts";
import { seesAll } from "./rights.ts";

const FOR_ALL = refuse("noRight", "metrics are for users who have a right on all consoles");

/**
 * Answers a request for the health of the hub. The status is 200 even if the ledger stores nothing,
 * because the hub goes on.
 */
export function answerHealth({ figures }: Pick<Hub, "figures">, request: Request): Response {
  const refusal = refuseMethod(request, "GET", "HEAD");
  if (refusal !== undefined) return refusal;
  const ledger = figures.isStoring ? "ok" : "failed";
  const answer = json({ live: true, ready: true, ledger }, 200, { "cache-control": "no-store" });
  return request.method === "HEAD" ? new Response(null, answer) : answer;
}

/**
 * Answers a request for metrics. They are of the whole hub, so a user has to see all consoles;
 * without a user they are answered only if `anonymous` allows it.
 */
export async function answerMetrics(
  hub: Pick<Hub, "authenticate" | "anonymous">,
  asked: HttpRequest,
  text: () => string,
): Promise<Response> {
  const { request, client } = asked;
  const wrongMethod = refuseMethod(request, "GET");
  if (wrongMethod !== undefined) return wrongMethod;
  const token = tokenBeside(asked);
  const user = token === undefined ? undefined : await hub.authenticate(token, client);
  if (user !== undefined && isRefusal(user)) return unauthorized(user);
  if (user === undefined && hub.anonymous === "none") return unauthorized(NO_TOKEN);
  if (user !== undefined && !seesAll(user)) return refused(403, FOR_ALL);
  const headers = { "content-type": METRICS_MEDIA, "cache-control": "no-store" };
  return new Response(text(), { headers });
}
