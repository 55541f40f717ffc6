/**
 * The requests over HTTP to consoles, each as a user of the fleet or as the hub itself. A change
 * that does not reach its console has a line in the audit trail of the fleet.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import type { Timer } from "../../core/ports.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import type { Listener } from "../../transport/arrival.ts";
import { refused } from "../../transport/json-answers.ts";
import type { ConsoleRights } from "./console-rights.ts";
import type { OpenLine } from "./exchange-line.ts";
import { createExchanges } from "./exchanges.ts";
import type { HeldConsoles } from "./held-consoles.ts";
import type { HubCore } from "./hub-core.ts";
import { mayWrite } from "./may-write.ts";
import type { Opened } from "./opened.ts";
import type { Picture } from "./picture.ts";
import type { OpenSocket } from "../several-hubs/sockets-between-hubs.ts";
import { HUB_ITSELF, type Trail } from "./trail.ts";
import type { ConsoleId, FleetUser } from "../wire.ts";

/** The parts of {@link createConsoleRequests}. */
export interface ConsoleRequestsParts {
  readonly timer: Timer;
  readonly picture: Pick<Picture, "entries">;
  readonly held: Pick<HeldConsoles, "get">;
  readonly trail: Pick<Trail, "tell">;
  readonly opened: Pick<Opened, "open">;
  readonly vouchedAt: ConsoleRights["vouchedAt"];
  /** Refuses a request for a console that cannot be reached now. */
  reachRefusal(id: ConsoleId): Refusal | undefined;
  /** Opens a socket to a console with an uplink. */
  readonly open: OpenSocket;
}

/** The requests to consoles. */
export interface ConsoleRequests extends Pick<HubCore, "fetch"> {
  /**
   * Requests a path of a console as the hub itself, with the rights of an admin. The audit trail of
   * the console names it `name`.
   */
  fetchAsHub(name: string, id: ConsoleId, request: Request): Promise<Response>;
}

/** Makes the requests to consoles of a hub. */
export function createConsoleRequests(
  { timer, picture, held, trail, opened, vouchedAt, reachRefusal, open }: ConsoleRequestsParts,
): ConsoleRequests {
  const exchanges = createExchanges(timer);

  /** Refuses a request that does not reach its console. */
  async function refuseRequest(
    id: ConsoleId,
    user: string | undefined,
    from: string,
    request: Request,
    status: 401 | 404 | 503,
    refusal: Refusal,
  ): Promise<Response> {
    if (user !== undefined && from !== HUB_ITSELF && await mayWrite(request)) {
      const target = `/consoles/${id}${new URL(request.url).pathname}`;
      trail.tell({ user, from, what: request.method, target, refused: refusal.message });
    }
    if (!request.bodyUsed) request.body?.cancel().catch(() => {});
    return refused(status, refusal, status === 503 ? { "retry-after": "5" } : {});
  }

  async function fetchAs(
    id: ConsoleId,
    user: FleetUser | undefined,
    from: string,
    request: Request,
    openLine: OpenLine,
  ): Promise<Response> {
    const console = held.get(id);
    if (console !== undefined) return await console.fetch(id, user, from, request);
    const refusal = reachRefusal(id);
    if (refusal !== undefined) {
      const status = picture.entries.has(id) ? 503 : 404;
      return await refuseRequest(id, user?.name, from, request, status, refusal);
    }
    const { pathname, search } = new URL(request.url);
    const key = JSON.stringify([id, user?.name, user?.may, from]);
    return await exchanges.fetch(key, openLine, pathname + search, request);
  }

  return {
    async fetch(id, as, from, request) {
      const user = as && vouchedAt(as, id);
      if (user !== undefined && isRefusal(user)) {
        const status = user === BAD_TOKEN ? 401 : 404;
        return await refuseRequest(id, as?.name, from, request, status, user);
      }
      return await fetchAs(
        id,
        user,
        from,
        request,
        (listener) =>
          opened.open(id, as, listener, (asked, heard) => open(id, "http", asked, from, heard)),
      );
    },
    async fetchAsHub(name, id, request) {
      const user = { name, may: "admin" } as const;
      const openLine = (listener: Listener) => open(id, "http", user, HUB_ITSELF, listener);
      return await fetchAs(id, user, HUB_ITSELF, request, openLine);
    },
  };
}
