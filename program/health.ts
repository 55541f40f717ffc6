/**
 * `faderd health`: the health of a running service, for supervisors that check exit statuses.
 *
 * @module
 */
import { HEALTH_PATH } from "../transport/health.ts";
import { Failure } from "./failure.ts";
import { print } from "./print.ts";
import { noFaderd, type RunningService, saidIn } from "./running-service.ts";

/** Maximum time in ms for the answer of the service. */
const ANSWER_MS = 3000;

/** Prints the health that a service reports; throws {@link Failure} if it is not ready. */
export async function sayHealth({ url, request }: RunningService): Promise<void> {
  const answer = await request(HEALTH_PATH, { signal: AbortSignal.timeout(ANSWER_MS) });
  const health = await saidIn(answer);
  if (health.ready === true) return print(JSON.stringify(health));
  throw health.ready === undefined
    ? noFaderd(`${url}${HEALTH_PATH}`, answer)
    : new Failure(`the service at ${url} is not ready`);
}
