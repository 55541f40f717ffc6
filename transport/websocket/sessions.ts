/**
 * All WebSocket connections, and what they are told unasked: `update` and `event`.
 *
 * @module
 */
import { closesConnections } from "../../core/backup/restored.ts";
import type { Console } from "../../core/console.ts";
import { claimsWithoutRight, endClaim, ENGINE_LOST } from "../../core/engines/claim.ts";
import { keepHours, refreshGeneral } from "../../core/general.ts";
import type { ListNotified } from "../../core/lists/listnotified.ts";
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import { changeBelow } from "../../core/tree/selectors.ts";
import type { Branch } from "../../core/tree/tree.ts";
import type { TreeChanged } from "../../core/tree/treechanged.ts";
import { DEVICE } from "../../core/users/user.ts";
import type { Budget } from "../budget.ts";
import type { Caller } from "../control-api/method.ts";
import { createCounts } from "../counts.ts";
import { createTokens, type Tokens } from "../tokens.ts";
import { createWrongTokens, type WrongTokens } from "../wrong-tokens.ts";
import { SERVICE_RESTART, TRY_AGAIN_LATER } from "./close-codes.ts";
import { createMeterFeed, type Hearer } from "./meter-feed.ts";
import { type Socket, type Update, updateOf } from "./outbox.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { openSession, type Peer, type Session } from "./session.ts";

/** The connections of a service. */
export interface Sessions {
  /** How many there are. One that we have closed counts until it is gone. */
  readonly count: number;
  /** How many there are from an address. */
  countFrom(address: string): number;
  /** Whether anybody is subscribed to meters. */
  hearMeters(): boolean;
  open(socket: Socket, peer: Peer): Session;
  readonly clients: Caller["clients"];
  /** Closes the newest connection, from an address or from any, on which no admin is logged in. */
  makePlace(address?: string): void;
  /** Judges the tokens of the connections, and of all other requests with them. */
  readonly tokens: Tokens;
  /** Closes every connection. */
  closeAll(code: number, reason: string): void;
}

const SECOND_MS = 1000;

/** Hears of the visits of clients; `user` is undefined for somebody who is not logged in. */
export interface Visits {
  came(address: string, user: string | undefined): void;
  loggedIn(address: string, user: string): void;
  /**
   * A request by a method of the envelope was answered, to an address; `code` is that of a refusal.
   */
  answered?(address: string, method: string, ms: number, code: number | undefined): void;
  left(address: string, user: string | undefined): void;
}

/** What sessions are made of, beside their console. */
export interface SessionsOptions {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  /** Hears of connections that come and go, and of who logs in on them. */
  readonly visits?: Visits;
  /** Says how late wrong tokens are answered; without it nobody is told of many. */
  readonly wrongTokens?: WrongTokens;
}

/**
 * Makes the sessions of a console, none at first; from now on they are told what happens on the
 * console. While there are any, `general` is brought up to date every second, and those are closed
 * whose tokens have expired.
 */
export function createSessions(
  console: Console,
  {
    timer,
    scheduler,
    budget,
    visits,
    wrongTokens = createWrongTokens(() => {}),
  }: SessionsOptions,
): Sessions {
  const sessions = new Map<number, Session>();
  let lastNumber = 0;
  let stopTime: (() => void) | undefined;
  const fromAddress = createCounts();
  const subscriptions = createSubscriptions<Hearer>(budget.subscriptions);

  console.watch((event, { tree }) => {
    if (event.type === "treechanged") publish(event, tree);
    else if (event.type === "listnotified") notify(event);
    else if (event.type === "restored" && closesConnections(event)) {
      closeAll(SERVICE_RESTART, "a backup was restored");
    } else if (event.type === "userwritten" || event.type === "userremoved") {
      // Whoever did it is answered first, be it on a connection that is to be closed.
      after(timer, 0, closeLost);
    }
  });

  function closeLost(): void {
    const lost = [...sessions.values()].filter((session) => session.lostUser());
    for (const session of lost) {
      const reason = "the user was removed, or has another token, or it has expired";
      session.close(SERVICE_RESTART, reason);
    }
    for (const connection of claimsWithoutRight(console.state)) {
      const address = sessions.get(connection)?.address;
      console.dispatch(endClaim(connection), { ...DEVICE, address, call: ENGINE_LOST });
    }
  }

  function closeAll(code: number, reason: string): void {
    for (const session of [...sessions.values()]) session.close(code, reason);
  }

  // The text for a path is made once per change, for all connections that are subscribed to it.
  function publish({ patch, ofMeters, tick }: TreeChanged, tree: Branch): void {
    if (ofMeters === true) return;
    const updates = new Map<string, Update>();
    for (const { subscriber, path, text } of subscriptions.touchedBy(patch)) {
      if (!subscriber.mayHear()) continue;
      let update = updates.get(text);
      if (update === undefined) {
        const change = changeBelow(tree, patch, path)!;
        updates.set(text, update = updateOf(text, change, tick));
      }
      subscriber.outbox.update(update);
    }
  }

  function notify({ entry, list, on, subscribers }: ListNotified): void {
    const payload = { type: "extlistnotified", params: { entry, list, on } };
    const text = JSON.stringify({ method: "event", payload });
    for (const number of subscribers) {
      const session = sessions.get(number);
      if (session?.mayHear()) session.outbox.send(text);
    }
  }

  const clients = () => [...sessions.values()].map((session) => session.tell());

  function passSecond(): void {
    console.dispatch(refreshGeneral(), DEVICE);
    console.dispatch(keepHours, DEVICE);
    closeLost();
  }

  function left(session: Session): void {
    const { number, address } = session;
    if (!sessions.delete(number)) return;
    visits?.left(address, session.tell().user ?? undefined);
    fromAddress.remove(address);
    if (sessions.size > 0) return;
    stopTime?.();
    stopTime = undefined;
  }

  const tokens = createTokens(console, timer, wrongTokens);
  const meters = createMeterFeed(console, timer, scheduler);
  const loggedIn = (address: string, user: string) => visits?.loggedIn(address, user);
  const answered = visits?.answered;
  const world = {
    timer,
    scheduler,
    budget,
    clients,
    tokens,
    meters,
    subscriptions,
    left,
    loggedIn,
    answered,
  };
  return {
    get count() {
      return sessions.size;
    },
    countFrom: fromAddress.of,
    hearMeters: () => meters.heard,
    open(socket, peer) {
      const session = openSession(console, ++lastNumber, socket, peer, world);
      stopTime ??= every(timer, SECOND_MS, passSecond);
      sessions.set(session.number, session);
      fromAddress.add(peer.address);
      visits?.came(peer.address, peer.user?.name);
      return session;
    },
    clients,
    makePlace(address) {
      const newest = [...sessions.values()].findLast((one) =>
        (address === undefined || one.address === address) && !one.isAdmins()
      );
      newest?.close(TRY_AGAIN_LATER, "an admin needs the place");
    },
    tokens,
    closeAll,
  };
}

/** Acts every `ms` until it is stopped. */
function every(timer: Timer, ms: number, act: () => void): () => void {
  let stop = after(timer, ms, again);

  function again(): void {
    stop = after(timer, ms, again);
    act();
  }

  return () => stop();
}
