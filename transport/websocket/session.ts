/**
 * One WebSocket connection: its user, its subscriptions, and its end.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { endClaim, ENGINE_LOST } from "../../core/engines/claim.ts";
import { closeConnection, releaseButtons } from "../../core/lists/registerextlist.ts";
import { formatPath } from "../../core/tree/tree.ts";
import { DEVICE, type May, type User } from "../../core/users/user.ts";
import type { Listener } from "../arrival.ts";
import type { ClientListEntry, Connection } from "../control-api/method.ts";
import { needsTokenOverWebSocket } from "../request-token.ts";
import type { AccessFeed } from "./access-feed.ts";
import { TRY_AGAIN_LATER } from "./close-codes.ts";
import type { Hearer } from "./meter-feed.ts";
import { createSendBuffer, type SendBuffer, type Socket } from "./send-buffer.ts";
import { createRequests, type RequestsWorld } from "./requests.ts";
import { type AllSubscriptions, hearsMeters } from "./subscriptions.ts";
import type { ViewDocumentFeed } from "./view-document-feed.ts";

/** The other end of a connection, as it was when the connection was opened. */
export interface Peer {
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** When the connection was opened, in ms since 1970. */
  readonly since: number;
  /** The user who is logged in from the start. */
  readonly user?: User | undefined;
  /** The upper limit of its rights while nobody is logged in. */
  readonly atMost?: May | undefined;
}

/** The parts of the service that a connection uses, besides the console. */
export interface SessionWorld extends RequestsWorld {
  readonly subscriptions: AllSubscriptions<Hearer>;
  readonly viewDocuments: ViewDocumentFeed;
  readonly access: AccessFeed;
  /** Called when a connection is gone. */
  left(session: Session): void;
}

/** A connection. */
export interface Session extends Listener {
  /** Its number, unique while the program runs. */
  readonly number: number;
  /** The client's address, as the limits count it. */
  readonly address: string;
  readonly sendBuffer: SendBuffer;
  /**
   * Whether it may be told of changes: not after its end, and not while a login is required and
   * nobody is logged in.
   */
  mayHear(): boolean;
  /** Whether it is open for a user who was removed, or whose token was replaced or has expired. */
  lostUser(): boolean;
  /** Whether it is open, and has sent no message yet. */
  isSilent(): boolean;
  /** Whether an admin is logged in on it. */
  isAdmins(): boolean;
  /** Its entry in `getclientlist`. */
  tell(): ClientListEntry;
  /**
   * Ends it, and tells the client why. A client that is dead may never answer: nothing waits for
   * it. Requests that it has sent before it knew are not carried out.
   */
  close(code: number, reason: string): void;
}

/** Opens a session on a socket. */
export function openSession(
  console: Console,
  number: number,
  socket: Socket,
  peer: Peer,
  world: SessionWorld,
): Session {
  const { timer, budget, meters, observer } = world;
  const { address, atMost } = peer;
  let open = true;
  let silent = true;
  let loggedIn = peer.user;
  const giveUp = () => close(TRY_AGAIN_LATER, "too much is waiting to be read");
  const sendBuffer = createSendBuffer(socket, address, giveUp, timer, budget.sendBuffers);
  const hearer = { sendBuffer, mayHear };
  const subscriptions = world.subscriptions.open(address, hearer);
  const connection: Connection = {
    mayHear,
    report: meters.reports.take,
    subscribe(path, wanted) {
      const refusal = subscriptions.add(path);
      if (refusal !== undefined) return refusal;
      if (hearsMeters(path, wanted)) meters.tell(hearer, path, wanted.interval);
      else meters.stop(hearer, path);
    },
    unsubscribe(path) {
      subscriptions.remove(path);
      meters.stop(hearer, path);
      sendBuffer.forget(formatPath(path));
    },
    followViewDocument: (name) => world.viewDocuments.follow(hearer, name),
    followAccess: () => world.access.follow(hearer),
    logIn(who) {
      if (who?.name !== console.state.engines.claims.get(number)?.user.name) loseEngine();
      loggedIn = who;
      // Where a token is required, the connection could not release them itself any more.
      if (who === undefined) {
        console.dispatch(releaseButtons(number), { ...DEVICE, address, call: "auth" });
      }
      if (who !== undefined) observer.loggedIn?.(address, who.name);
    },
  };
  const isOpen = () => open;
  const requester = { number, address, atMost, sendBuffer, connection, user, isOpen, close };
  const requests = createRequests(console, requester, world);

  /**
   * Returns the user who is logged in; undefined if the user was removed, or the token was replaced
   * or has expired.
   */
  function user(): User | undefined {
    return console.actorNow({ user: loggedIn }).user;
  }

  function mayHear(): boolean {
    if (!open) return false;
    return !needsTokenOverWebSocket(console.state.configuration) || user() !== undefined;
  }

  /**
   * Ends the session, whichever side asked for that: requests that have not started are dropped,
   * and its buttons and lists are released. A change that is on its way to the medium is kept.
   */
  function end(): void {
    if (!open) return;
    open = false;
    sendBuffer.close();
    subscriptions.close();
    meters.stop(hearer);
    world.viewDocuments.stop(hearer);
    world.access.stop(hearer);
    // A call that waits for the medium may still take something for the connection.
    requests.clear().then(release);
    release();
  }

  /**
   * Releases its buttons and lists, and its claim: as the device, because that happens whatever
   * rights its user has.
   */
  function release(): void {
    console.dispatch(closeConnection(number), { ...DEVICE, address, call: "connection closed" });
    loseEngine();
  }

  /** Ends the claim of the connection, as its engine is lost. */
  function loseEngine(): void {
    console.dispatch(endClaim(number), { ...DEVICE, address, call: ENGINE_LOST });
  }

  function close(code: number, reason: string, fault?: unknown): void {
    if (!open) return;
    socket.close(code, reason, fault);
    end();
  }

  const session: Session = {
    number,
    address,
    sendBuffer,
    mayHear,
    lostUser: () => open && loggedIn !== undefined && user() === undefined,
    isSilent: () => open && silent,
    isAdmins: () => user()?.admin === true,
    tell: () => ({
      address,
      user: user()?.name ?? null,
      since: new Date(peer.since).toISOString(),
      subscriptions: subscriptions.count(),
      unread: socket.bufferedAmount,
      claims: (console.state.engines.claims.get(number)?.paths ?? []).map(formatPath),
    }),
    receive(data) {
      silent = false;
      requests.receive(data);
    },
    closed() {
      end();
      world.left(session);
    },
    close,
  };
  return session;
}
