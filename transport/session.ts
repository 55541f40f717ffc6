/**
 * One WebSocket connection: who is logged in on it, what it is subscribed to, and its requests.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { WAITING_REQUESTS } from "../core/limits.ts";
import { closeConnection } from "../core/lists/registerextlist.ts";
import { formatPath } from "../core/tree/tree.ts";
import { DEVICE, stillThere, type User } from "../core/users/user.ts";
import {
  type Answer,
  BINARY_FRAME,
  type Envelope,
  failed,
  type MalformedMessage,
  parseEnvelope,
} from "./envelope.ts";
import { longestMessage, mayBeSetSnapshot, messageLimit } from "./message-limit.ts";
import type { Caller, Client, Connection, Peer, Surroundings, World } from "./methods/method.ts";
import { answer, isWrite, textOf } from "./methods/table.ts";
import { createOutbox, type Outbox, type Socket } from "./outbox.ts";
import { createPipeline } from "./pipeline.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

const MESSAGE_TOO_BIG = 1009;
const INTERNAL_ERROR = 1011;
/** WebSocket close code "try again later": there is no room for more. */
export const TRY_AGAIN_LATER = 1013;

/** A connection. */
export interface Session {
  /** Its number, unique while the program runs. */
  readonly number: number;
  readonly subscriptions: Subscriptions;
  readonly outbox: Outbox;
  /**
   * Whether it may be told of changes: not after its end, and not while a login is required and nobody
   * is logged in.
   */
  readonly mayHear: boolean;
  /** Whether it is open for who has been removed, or has another token since. */
  readonly lostUser: boolean;
  /** What it is, as `getclientlist` tells it. */
  readonly client: Client;
  /**
   * Takes the data of a message; what is no text (a binary frame) is malformed. What comes after our
   * close was on its way before the client knew of it, and is not carried out.
   */
  receive(data: unknown): void;
  /** Ends it, and tells the client why. A client that is dead may never answer: nothing waits for it. */
  close(code: number, reason: string): void;
  /**
   * It is over, whoever ended it: requests that have not started are dropped, its buttons and lists are
   * let go. A change that is on its way to the medium is kept.
   */
  end(): void;
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
  { pacer, clients }: Surroundings,
): Session {
  const { websocket } = console.state.configuration;
  const subscriptions = createSubscriptions();
  const outbox = createOutbox(
    socket,
    () => close(TRY_AGAIN_LATER, "too much is waiting to be read"),
  );
  let open = true;
  let { user } = peer;

  const connection: Connection = {
    get mayHear() {
      return mayHear();
    },
    subscribe: (path) => subscriptions.add(path),
    unsubscribe(path) {
      subscriptions.remove(path);
      outbox.forget(formatPath(path));
    },
    logIn(who) {
      user = who;
    },
  };

  /** A user who was removed, or has another token now, is no longer logged in. */
  function knownUser(): User | undefined {
    return stillThere(console.state.users, { user }).user;
  }

  function mayHear(): boolean {
    return open && (websocket.auth === "optional" || knownUser() !== undefined);
  }

  function caller(): Caller {
    return { console, connection, world, actor: { user: knownUser(), connection: number } };
  }

  const world: World = { pacer, clients, hold: () => requests.hold(), mayHear };

  const requests = createPipeline<Envelope | MalformedMessage, ReadyAnswer>({
    overlaps: (request) => !("refusal" in request) && isWrite(request),
    answer(request) {
      if ("refusal" in request) {
        return { text: JSON.stringify(failed(request.message, request.refusal)) };
      }
      const given = answer(request, caller(), websocket.auth === "required");
      return given instanceof Promise
        ? given.then((known) => ready(request, known))
        : ready(request, given);
    },
    send({ text, goOn }) {
      outbox.send(text);
      goOn?.();
    },
    onFault: fail,
    mayStart(start) {
      const turn = pacer.pause();
      turn?.then(start);
      return turn === undefined;
    },
    limit: WAITING_REQUESTS,
  });

  function ready(request: Envelope, given: Answer): ReadyAnswer | Promise<ReadyAnswer> {
    const text = textOf(request, given, pacer);
    if (!(text instanceof Promise)) return { text };
    // What changes while the answer is written is told after it: it is newer.
    const goOn = outbox.hold();
    return text.then((whole) => ({ text: whole, goOn }));
  }

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

  function closeTooBig(limit: number): void {
    close(MESSAGE_TOO_BIG, `expected a message of at most ${limit} bytes`);
  }

  function fail(fault: unknown): void {
    close(INTERNAL_ERROR, "the service failed to answer", fault);
  }

  function take(data: unknown): void {
    const text = typeof data === "string" ? data : "";
    const { state } = console;
    const { maxMessageBytes } = state.configuration.limits;
    if (exceedsBytes(text, maxMessageBytes)) {
      if (!mayBeSetSnapshot(state, text, knownUser())) return closeTooBig(maxMessageBytes);
      if (exceedsBytes(text, longestMessage(state))) return closeTooBig(longestMessage(state));
    }
    const request = typeof data === "string" ? parseEnvelope(data) : BINARY_FRAME;
    const limit = messageLimit(state, request);
    if (exceedsBytes(text, limit)) return closeTooBig(limit);
    if (!requests.push(request, text.length)) {
      close(TRY_AGAIN_LATER, "too many requests are waiting for an answer");
    }
  }

  return {
    number,
    subscriptions,
    outbox,
    get mayHear() {
      return mayHear();
    },
    get lostUser() {
      return open && user !== undefined && knownUser() === undefined;
    },
    get client() {
      return {
        address: peer.address,
        user: knownUser()?.name ?? null,
        since: new Date(peer.since).toISOString(),
        subscriptions: subscriptions.count,
        unread: socket.bufferedAmount,
      };
    },
    receive(data) {
      if (!open) return;
      try {
        take(data);
      } catch (fault) {
        fail(fault);
      }
    },
    close,
    end,
  };
}

const MOST_BYTES_PER_CHARACTER = 3;

/** Whether a text is over a size as UTF-8; it is only encoded where its length leaves it open. */
function exceedsBytes(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * MOST_BYTES_PER_CHARACTER > bytes &&
    new TextEncoder().encode(text).length > bytes;
}
