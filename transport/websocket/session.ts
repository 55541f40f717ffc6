/**
 * One WebSocket connection: who is logged in on it, what it is subscribed to, and its requests.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { WAITING_REQUESTS } from "../../core/limits.ts";
import { closeConnection } from "../../core/lists/registerextlist.ts";
import type { Pacer, Timer } from "../../core/ports.ts";
import { formatPath } from "../../core/tree/tree.ts";
import { DEVICE, stillThere, type User } from "../../core/users/user.ts";
import { type Answer, BINARY_FRAME, type Message, readMessage } from "../control-api/envelope.ts";
import type { Caller, Connection } from "../control-api/method.ts";
import { answer, isWrite } from "../control-api/methods.ts";
import { jsonOf } from "../json.ts";
import type { Listener } from "../arrival.ts";
import { needsToken } from "../request-token.ts";
import { createOutbox, type Outbox, type Socket } from "./outbox.ts";
import { createRequests } from "./requests.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

const MESSAGE_TOO_BIG = 1009;
const INTERNAL_ERROR = 1011;
/** WebSocket close code "try again later": there is no room for more. */
export const TRY_AGAIN_LATER = 1013;

/** The other end of a connection, as it was when that was opened. */
export interface Peer {
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** When the connection was opened, in ms since 1970. */
  readonly since: number;
  /** Who is logged in from the start. */
  readonly user?: User | undefined;
}

/** What a connection may ask of the world beside the console. */
export interface SessionWorld {
  readonly timer: Timer;
  readonly pacer: Pacer;
  readonly clients: Caller["clients"];
  /** Is told when a connection is gone. */
  left(number: number): void;
}

/** A connection. */
export interface Session extends Listener {
  /** Its number, unique while the program runs. */
  readonly number: number;
  readonly subscriptions: Subscriptions;
  readonly outbox: Outbox;
  /**
   * Whether it may be told of changes: not after its end, and not while a login is required and
   * nobody is logged in.
   */
  mayHear(): boolean;
  /** Whether it is open for who has been removed, or has another token since. */
  lostUser(): boolean;
  /**
   * What `getclientlist` tells of it: its address, who is logged in (`null` for nobody), since when
   * it is open (ISO 8601, UTC), how many paths it is subscribed to, how many bytes it has left
   * unread.
   */
  tell(): object;
  /**
   * Ends it, and tells the client why. A client that is dead may never answer: nothing waits for
   * it. What it has sent before it knew is not carried out.
   */
  close(code: number, reason: string): void;
}

/** An answer that can be sent. */
interface ReadyAnswer {
  readonly text: string;
  /** Called once it is sent: lets updates go on. */
  readonly goOn?: () => void;
}

/** Opens a session on a socket. */
export function openSession(
  console: Console,
  number: number,
  socket: Socket,
  peer: Peer,
  { timer, pacer, clients, left }: SessionWorld,
): Session {
  const tokenRequired = needsToken(console.state.configuration).overWebSocket;
  const subscriptions = createSubscriptions();
  const outbox = createOutbox(
    socket,
    () => close(TRY_AGAIN_LATER, "too much is waiting to be read"),
    timer,
  );
  let open = true;
  let { user } = peer;

  const connection: Connection = {
    mayHear,
    subscribe: (path) => subscriptions.add(path),
    unsubscribe(path) {
      subscriptions.remove(path);
      outbox.forget(formatPath(path));
    },
    logIn(who) {
      user = who;
    },
  };

  const requests = createRequests<Message, ReadyAnswer>({
    pacer,
    overlaps: isWrite,
    answer(request) {
      const given = answer(request, caller(), tokenRequired);
      return given instanceof Promise ? given.then((known) => ready(known)) : ready(given);
    },
    send({ text, goOn }) {
      outbox.send(text);
      goOn?.();
    },
    onFault: fail,
    limit: WAITING_REQUESTS,
  });

  /** Answers who is logged in: no longer a user who was removed, or has another token now. */
  function knownUser(): User | undefined {
    return stillThere(console.state.users, { user }).user;
  }

  function mayHear(): boolean {
    return open && (!tokenRequired || knownUser() !== undefined);
  }

  function caller(): Caller {
    const actor = { user: knownUser(), connection: number, address: peer.address };
    return { console, actor, pacer, clients, connection };
  }

  function ready(given: Answer): ReadyAnswer | Promise<ReadyAnswer> {
    const text = jsonOf(given, pacer);
    if (!(text instanceof Promise)) return { text };
    // What changes while the answer is written is told after it: it is newer.
    const goOn = outbox.hold();
    return text.then((whole) => ({ text: whole, goOn }));
  }

  /**
   * Ends the session, whoever asked for that: requests that have not started are dropped, its
   * buttons and lists are let go. A change that is on its way to the medium is kept.
   */
  function end(): void {
    if (!open) return;
    open = false;
    outbox.close();
    requests.clear();
    console.dispatch(closeConnection(number), DEVICE);
  }

  function close(code: number, reason: string, fault?: unknown): void {
    if (!open) return;
    socket.close(code, reason, fault);
    end();
  }

  function fail(fault: unknown): void {
    close(INTERNAL_ERROR, "the service failed to answer", fault);
  }

  return {
    number,
    subscriptions,
    outbox,
    mayHear,
    lostUser: () => open && user !== undefined && knownUser() === undefined,
    tell: () => ({
      address: peer.address,
      user: knownUser()?.name ?? null,
      since: new Date(peer.since).toISOString(),
      subscriptions: subscriptions.count(),
      unread: socket.bufferedAmount,
    }),
    receive(data) {
      if (!open) return;
      const text = typeof data === "string" ? data : "";
      const message = typeof data === "string"
        ? readMessage(console, text, knownUser)
        : BINARY_FRAME;
      if ("limit" in message) {
        close(MESSAGE_TOO_BIG, `expected a message of at most ${message.limit} bytes`);
      } else if (!requests.push(message, text.length)) {
        close(TRY_AGAIN_LATER, "too many requests are waiting for an answer");
      }
    },
    closed() {
      end();
      left(number);
    },
    close,
  };
}
