/**
 * All WebSocket connections, and what they are told unasked: `update` and `event`.
 *
 * @module
 */
import { closesConnections } from "../core/backup/restored.ts";
import type { Console } from "../core/console.ts";
import { keepHours, refreshGeneral } from "../core/general.ts";
import { closeConnection } from "../core/lists/register.ts";
import type { ListNotified } from "../core/lists/list.ts";
import type { Patch } from "../core/tree/patch.ts";
import { DEVICE } from "../core/users/user.ts";
import type { Client, Peer } from "./methods/method.ts";
import { type Socket, updateText } from "./outbox.ts";
import { openSession, type Session } from "./session.ts";
import { turn as oneTurn } from "./turns.ts";

/** The connections of a service. */
export interface Sessions {
  readonly count: number;
  open(socket: Socket, peer: Peer): Session;
  /** What they are, as `getclientlist` tells it. */
  clients(): readonly Client[];
  /** The connection is gone: it lets go of its buttons and lists. */
  closed(session: Session): void;
  /** Closes every connection. */
  closeAll(code: number, reason: string): void;
}

const SECOND_MS = 1000;
/** WebSocket close code "service restart": what the client knows of the console may be wrong now. */
const SERVICE_RESTART = 1012;

/**
 * No connections yet; from now on they are told what happens on the console. While there are any,
 * `general` is brought up to date every second. Between the pieces of a large answer `turn` is waited
 * for.
 */
export function createSessions(console: Console, turn = oneTurn): Sessions {
  const sessions = new Map<number, Session>();
  let lastNumber = 0;
  let everySecond: ReturnType<typeof setInterval> | undefined;

  console.watch((event) => {
    if (event.type === "treechanged") publish(event.patch);
    else if (event.type === "listnotified") notify(event);
    else if (event.type === "restored" && closesConnections(event)) {
      closeAll(SERVICE_RESTART, "a backup was restored");
    } else if (event.type === "userwritten" || event.type === "userremoved") {
      // Whoever did it is answered in this turn, be it on a connection that is to be closed.
      turn().then(closeLost);
    }
  });

  function closeLost(): void {
    for (const session of [...sessions.values()]) {
      if (!session.lostUser) continue;
      session.close(SERVICE_RESTART, "the user was removed, or has another token");
    }
  }

  function closeAll(code: number, reason: string): void {
    for (const session of [...sessions.values()]) session.close(code, reason);
  }

  // Connections with the same subscriptions share one text: it is made once per change.
  function publish(patch: Patch): void {
    const updates = new Map<string, { readonly patch: Patch; readonly text: string } | undefined>();
    for (const { subscriptions, outbox, mayHear } of sessions.values()) {
      const { key } = subscriptions;
      if (key === "" || !mayHear) continue;
      if (!updates.has(key)) {
        const selected = subscriptions.select(patch);
        updates.set(key, selected && { patch: selected, text: updateText(selected) });
      }
      const update = updates.get(key);
      if (update !== undefined) outbox.update(update.patch, update.text);
    }
  }

  function notify({ entry, list, on, subscribers }: ListNotified): void {
    const payload = { type: "extlistnotified", params: { entry, list, on } };
    const text = JSON.stringify({ method: "event", payload });
    for (const number of subscribers) {
      const session = sessions.get(number);
      if (session?.mayHear) session.outbox.send(text);
    }
  }

  function clients(): readonly Client[] {
    return [...sessions.values()].map(({ client }) => client);
  }

  function keepTime(): void {
    console.dispatch(refreshGeneral, DEVICE);
    console.dispatch(keepHours, DEVICE);
  }

  return {
    get count() {
      return sessions.size;
    },
    open(socket, peer) {
      const session = openSession(console, ++lastNumber, socket, peer, { turn, clients });
      everySecond ??= setInterval(keepTime, SECOND_MS);
      sessions.set(session.number, session);
      return session;
    },
    closed(session) {
      session.outbox.close();
      if (sessions.delete(session.number)) {
        console.dispatch(closeConnection(session.number), DEVICE);
      }
      if (sessions.size === 0) {
        clearInterval(everySecond);
        everySecond = undefined;
      }
    },
    clients,
    closeAll,
  };
}
