/**
 * All WebSocket connections: their number, their events, and their end.
 *
 * @module
 */
import { type Device, noDevice } from "../../core/backup/device.ts";
import { closesConnections } from "../../core/backup/restored.ts";
import type { Console } from "../../core/console.ts";
import { endClaim, ENGINE_LOST, isEngine } from "../../core/engines/claim.ts";
import { keepHours, refreshGeneral } from "../../core/general.ts";
import type { ListNotified } from "../../core/lists/listnotified.ts";
import { createLoudnessHistory } from "../../core/loudness/history.ts";
import { GIVING_WAY } from "../../core/limits.ts";
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import type { State } from "../../core/state.ts";
import { endExpiredLogins } from "../../core/users/login.ts";
import { DEVICE } from "../../core/users/user.ts";
import type { Budget } from "../budget.ts";
import type { Caller } from "../control-api/method.ts";
import { createCounts } from "../counts.ts";
import type { Observer } from "../observer.ts";
import { createTokens, type Tokens } from "../tokens.ts";
import { createWrongTokens, type WrongTokens } from "../wrong-tokens.ts";
import { createAccessFeed } from "./access-feed.ts";
import { SERVICE_RESTART, TRY_AGAIN_LATER } from "./close-codes.ts";
import { createMeterFeed, type Hearer, type MeterFeed } from "./meter-feed.ts";
import type { Socket } from "./send-buffer.ts";
import { createSubscriptions, publishChanges } from "./subscriptions.ts";
import { openSession, type Peer, type Session } from "./session.ts";
import { createViewDocumentFeed } from "./view-document-feed.ts";

/** The connections of a service. */
export interface Sessions {
  /** The number of connections. A connection that we have closed counts until it is gone. */
  readonly count: number;
  /** The number of connections from an address. */
  countFrom(address: string): number;
  /** Whether anybody is subscribed to meters. */
  hearMeters(): boolean;
  open(socket: Socket, peer: Peer): Session;
  readonly clients: Caller["clients"];
  readonly history: Caller["history"];
  /** Closes the newest connection, from an address or from any, on which no admin is logged in. */
  makePlace(address?: string): void;
  /**
   * Closes the oldest connection from an address that has sent nothing and on which no admin is
   * logged in. It does not count for its address from then on. Returns whether there was one;
   * there is none while `GIVING_WAY` of the address are being closed already.
   */
  giveWay(address: string): boolean;
  /**
   * Checks the tokens of the connections, and counts their wrong tokens with those of all other
   * requests.
   */
  readonly tokens: Tokens;
  /** The meters, also for interfaces other than WebSockets. */
  readonly meters: MeterFeed;
  /** Closes every connection. */
  closeAll(code: number, reason: string): void;
}

const SECOND_MS = 1000;

/** The ports and parts of sessions, besides their console. */
export interface SessionsOptions {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  /** The machine; by default `noDevice`. */
  readonly device?: Device;
  readonly observer?: Observer;
  /**
   * Returns the delay of answers to wrong tokens; without it many wrong tokens are not reported.
   */
  readonly wrongTokens?: WrongTokens;
}

/**
 * Makes the sessions of a console, none at first; from now on they are told of events of the
 * console. While there are any, `general` is brought up to date every second, and logins and
 * connections whose tokens have expired end.
 */
export function createSessions(
  console: Console,
  {
    timer,
    scheduler,
    budget,
    device = noDevice,
    observer = {},
    wrongTokens = createWrongTokens(() => {}),
  }: SessionsOptions,
): Sessions {
  const sessions = new Map<number, Session>();
  let lastNumber = 0;
  let stopTime: (() => void) | undefined;
  const fromAddress = createCounts();
  /** The connections that gave way but are not gone yet. */
  const leaving = new Set<Session>();
  const leavingFrom = createCounts();
  const subscriptions = createSubscriptions<Hearer>(budget.subscriptions);
  publishChanges(console, subscriptions);

  console.watch((event, state) => {
    if (event.type === "listnotified") notify(event);
    else if (event.type === "handovertaken") tellTaken(event.name, state);
    else if (event.type === "restored" && closesConnections(event)) {
      tokens.usersChanged();
      closeAll(SERVICE_RESTART, "a backup was restored, or another configuration put in force");
    } else if (event.type === "userwritten" || event.type === "userremoved") {
      tokens.usersChanged();
      // The request for it is answered first, also on a connection that is to be closed.
      after(timer, 0, closeLost);
    }
  });

  function closeLost(): void {
    const lost = [...sessions.values()].filter((session) => session.lostUser());
    for (const session of lost) {
      const reason = "the user was removed, or has another token, or it has expired";
      session.close(SERVICE_RESTART, reason);
    }
    for (const [connection, { user }] of console.state.engines.claims) {
      // The token may have come with the claim, so that nobody is logged in on the connection.
      if (isEngine(console.actorNow({ user }).user)) continue;
      const address = sessions.get(connection)?.address;
      console.dispatch(endClaim(connection), { ...DEVICE, address, call: ENGINE_LOST });
    }
  }

  function closeAll(code: number, reason: string): void {
    for (const session of [...sessions.values()]) session.close(code, reason);
  }

  function notify({ entry, list, on, subscribers }: ListNotified): void {
    const payload = { type: "extlistnotified", params: { entry, list, on } };
    const text = JSON.stringify({ method: "event", payload });
    for (const number of subscribers) {
      const session = sessions.get(number);
      if (session?.mayHear()) session.sendBuffer.send(text);
    }
  }

  function tellTaken(name: string, { handovers }: State): void {
    const session = sessions.get(handovers.get(name)?.connection ?? 0);
    const payload = { type: "handovertaken", params: { name } };
    if (session?.mayHear()) session.sendBuffer.send(JSON.stringify({ method: "event", payload }));
  }

  const clients = () => [...sessions.values()].map((session) => session.tell());

  function passSecond(): void {
    stopTime = after(timer, SECOND_MS, passSecond);
    console.dispatch(refreshGeneral(), DEVICE);
    console.dispatch(endExpiredLogins, DEVICE);
    console.dispatch(keepHours, DEVICE);
    closeLost();
  }

  function left(session: Session): void {
    const { number, address } = session;
    if (!sessions.delete(number)) return;
    observer.disconnected?.(address, session.tell().user ?? undefined);
    (leaving.delete(session) ? leavingFrom : fromAddress).remove(address);
    if (sessions.size > 0) return;
    stopTime?.();
    stopTime = undefined;
  }

  function giveWay(address: string): boolean {
    if (leavingFrom.of(address) >= GIVING_WAY) return false;
    for (const session of sessions.values()) {
      if (session.address !== address || !session.isSilent() || session.isAdmins()) continue;
      leaving.add(session);
      leavingFrom.add(address);
      fromAddress.remove(address);
      session.close(TRY_AGAIN_LATER, "a newer connection of this address needs the place");
      return true;
    }
    return false;
  }

  const tokens = createTokens(console, timer, wrongTokens);
  const meters = createMeterFeed(console, timer, scheduler);
  const viewDocuments = createViewDocumentFeed(console);
  const access = createAccessFeed(console);
  const history = createLoudnessHistory(console, { timer, scheduler, reports: meters.reports });
  const world = {
    timer,
    scheduler,
    budget,
    device,
    clients,
    history,
    tokens,
    meters,
    subscriptions,
    viewDocuments,
    access,
    observer,
    left,
  };
  return {
    get count() {
      return sessions.size;
    },
    countFrom: fromAddress.of,
    hearMeters: () => meters.heard,
    open(socket, peer) {
      const session = openSession(console, ++lastNumber, socket, peer, world);
      stopTime ??= after(timer, SECOND_MS, passSecond);
      sessions.set(session.number, session);
      fromAddress.add(peer.address);
      observer.connected?.(peer.address, peer.user?.name);
      return session;
    },
    clients,
    history,
    makePlace(address) {
      const newest = [...sessions.values()].findLast((one) =>
        (address === undefined || one.address === address) && !one.isAdmins()
      );
      newest?.close(TRY_AGAIN_LATER, "an admin needs the place");
    },
    giveWay,
    tokens,
    meters,
    closeAll,
  };
}
