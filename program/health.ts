/**
 * `faderd health`: how a running service is, for whoever watches over it by exit statuses.
 *
 * @module
 */
import { isBranch } from "../core/tree/tree.ts";
import { HEALTH_PATH } from "../transport/health.ts";
import { Failure, misuse } from "./failure.ts";
import { print, reasonOf } from "./print.ts";

/** How long the service may take to answer, in ms. */
const ANSWER_MS = 3000;

/** Prints what a service says of its health; throws {@link Failure} where it is not ready. */
export async function sayHealth(url: string): Promise<void> {
  const address = URL.parse(HEALTH_PATH, url);
  if (address === null) {
    throw misuse(`--url: expected a URL like http://127.0.0.1:8080, got ${url}`);
  }
  let text: string;
  let health: unknown;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) });
    text = await answer.text();
    health = JSON.parse(text);
  } catch (fault) {
    throw new Failure(`no service answers at ${address}: ${reasonOf(fault)}`);
  }
  if (!isBranch(health) || health["ready"] !== true) {
    throw new Failure(`the service at ${address} is not ready`);
  }
  print(text);
}
