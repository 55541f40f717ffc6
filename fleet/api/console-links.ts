/**
 * Requests that a hub passes on to its consoles: one session for each user of a console, which is
 * kept for some time.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import type { Timer } from "../../core/ports.ts";
import { noConsole, unreachable } from "../hub/console-state.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import type { ConsoleId } from "../wire.ts";
import {
  type ConsoleAnswer,
  type ConsoleLink,
  type ConsoleRequest,
  openConsoleLink,
} from "./console-link.ts";

/** Maximum number of sessions; a further session replaces the least recently used one. */
const SESSIONS = 256;

/** Passes requests on to consoles. */
export interface ConsoleLinks {
  /** Sends a request at once, or refuses it; it is never sent twice. */
  ask(id: ConsoleId, by: FleetActor, request: ConsoleRequest): Promise<ConsoleAnswer | Refusal>;
  close(): void;
}

/** Makes the links to consoles. */
export function createConsoleLinks(core: HubCore, timer: Timer): ConsoleLinks {
  /** In the order of their last use. */
  const links = new Map<string, Promise<ConsoleLink | Refusal>>();

  function linkOf(id: ConsoleId, by: FleetActor): Promise<ConsoleLink | Refusal> {
    const { user, from } = by;
    const key = JSON.stringify([id, user?.name, core.mayAt(user, id), from]);
    const known = links.get(key);
    links.delete(key);
    const link = known ?? openConsoleLink(core, timer, id, by, () => {
      if (links.get(key) === link) links.delete(key);
    });
    links.set(key, link);
    if (links.size > SESSIONS) closeOldest();
    return link;
  }

  function closeOldest(): void {
    const [[key, oldest]] = links as unknown as [[string, Promise<ConsoleLink | Refusal>]];
    links.delete(key);
    oldest.then((known) => isRefusal(known) || known.retire(), () => {});
  }

  return {
    async ask(id, by, request) {
      if (core.mayAt(by.user, id) === undefined) return noConsole(id);
      const entry = core.consoles().get(id);
      if (entry?.state !== "live") return unreachable(entry, id);
      const link = await linkOf(id, by);
      return isRefusal(link) ? link : await link.ask(request);
    },
    close() {
      for (const link of links.values()) closeOnce(link);
      links.clear();
    },
  };
}

function closeOnce(link: Promise<ConsoleLink | Refusal>): void {
  link.then((known) => isRefusal(known) || known.close(), () => {});
}
