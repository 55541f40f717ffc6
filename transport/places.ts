/**
 * The limit on concurrent connections and requests of an address (`limits.connectionsPerAddress`).
 * A place is taken by each of its WebSockets and unanswered requests, and by each large answer and
 * stream of HTTP/2 until it is read.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Console } from "../core/console.ts";
import { refuse } from "../core/errors.ts";
import type { HttpRequest } from "./arrival.ts";
import { createCounts } from "./counts.ts";
import { refusedEitherWay } from "./json-answers.ts";
import { tokenBeside } from "./request-token.ts";
import type { Sessions } from "./websocket/sessions.ts";

/** The places of all addresses. */
export interface Places {
  /** Whether all places of an address are taken. */
  areTaken(address: string): boolean;
  /**
   * Whether a request of an address is admitted. If all places are taken, it is admitted if a
   * connection that has sent nothing gives way to it, or if it is the request of an admin.
   */
  admits(address: string, asked: HttpRequest | undefined): boolean;
  /** Takes a place of an address until the returned function is called. */
  take(address: string): () => void;
}

/** Makes the places of a service, with none taken by a request. */
export function createPlaces(console: Console, sessions: Sessions): Places {
  const requests = createCounts();

  function areTaken(address: string): boolean {
    const { connectionsPerAddress } = console.state.configuration.limits;
    return sessions.countFrom(address) + requests.of(address) >= connectionsPerAddress;
  }

  return {
    areTaken,
    admits(address, asked) {
      if (!areTaken(address) || sessions.giveWay(address)) return true;
      if (asked === undefined) return false;
      const user = sessions.tokens.identify(tokenBeside(asked), address) ?? asked.vouched?.user;
      return user?.admin === true;
    },
    take(address) {
      requests.add(address);
      return () => requests.remove(address);
    },
  };
}

/** The answer (503) to a request that is not admitted. */
export function noPlace({ limits }: Configuration): Response {
  const sentence = `this address has ${limits.connectionsPerAddress} connections and requests ` +
    "under way already";
  return refusedEitherWay(503, refuse("limitReached", sentence), { "retry-after": "1" });
}

/**
 * The same answer without a body, because a stream of HTTP/2 would hold the body until it is read.
 */
export function noPlaceForStream(): Response {
  return new Response(null, { status: 503, headers: { "retry-after": "1" } });
}
