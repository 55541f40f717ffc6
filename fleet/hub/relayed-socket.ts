/**
 * A WebSocket of a client that a hub passes on to a console. Messages of the console go to the
 * client as the console's own service would send them: a client that reads slowly gets the last
 * value of each leaf. No token of the fleet reaches the console.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { jsonExcess } from "../../core/json.ts";
import type { Timer } from "../../core/ports.ts";
import { isBranch, type Patch } from "../../core/tree/tree.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import type { Listener } from "../../transport/arrival.ts";
import { BINARY_FRAME, failed, succeeded } from "../../transport/control-api/envelope.ts";
import type { MemoryQuota } from "../../transport/memory-quota.ts";
import { NO_TOKEN } from "../../transport/request-token.ts";
import { isGiven } from "../../transport/tokens.ts";
import {
  GOING_AWAY,
  INTERNAL_ERROR,
  MESSAGE_TOO_BIG,
  NORMAL_CLOSURE,
  TRY_AGAIN_LATER,
  UNREACHABLE,
} from "../../transport/websocket/close-codes.ts";
import { createOutbox, type Socket } from "../../transport/websocket/outbox.ts";
import type { Hub } from "./hub.ts";
import {
  LOGIN_BYTES,
  MESSAGE_BYTES,
  RELAYED_VALUES,
  SESSIONS_PER_CLIENT,
  WAITING_BYTES,
} from "./hub-limits.ts";
import { mayHaveToken, objectIn, parseMessage } from "./message-token.ts";
import type { Person } from "./rights.ts";
import type { ConsoleId } from "../wire.ts";

/** The parts of a relayed socket. */
export interface RelayParts {
  readonly hub: Hub;
  readonly id: ConsoleId;
  /** The address of the client. */
  readonly from: string;
  /** The user of the token that the request for the socket brought. */
  readonly user: Person | undefined;
  readonly timer: Timer;
  /** The quota of bytes that clients have not read. */
  readonly quota: MemoryQuota;
}

/** A session on the console for one user of the client. */
interface Session {
  readonly as: Person | undefined;
  readonly socket: Socket;
  /** Characters of the largest message since its send buffer was last empty. */
  largest: number;
}

/** Passes the messages of a client's socket on to a console. */
export function relay(
  { hub, id, from, user, timer, quota }: RelayParts,
  socket: Socket,
): Listener {
  const sessions: Session[] = [];
  const outbox = createOutbox(
    socket,
    from,
    () => close(TRY_AGAIN_LATER, "too much is waiting to be read"),
    timer,
    quota,
  );
  const mayAnybody = hub.anonymous === "console";
  let loggedIn = user;
  let hasLoggedOut = false;
  let isOpen = true;
  /** Messages that wait for a session, or for the answer to a wrong token. */
  const waiting: string[] = [];
  let waitingBytes = 0;
  let isBusy = false;

  function close(code: number, reason: string, fault?: unknown): void {
    if (!isOpen) return;
    end();
    socket.close(code, reason, fault);
  }

  const stopListening = hub.onClose(() => close(GOING_AWAY, "the hub is stopping"));

  function end(): void {
    isOpen = false;
    stopListening();
    outbox.close();
    waiting.length = 0;
    for (const session of sessions.splice(0)) session.socket.close(NORMAL_CLOSURE, "");
  }

  function answer(message: Readonly<Record<string, unknown>>, refusal: Refusal): void {
    outbox.send(JSON.stringify(failed(message, refusal)));
  }

  function sessionOf(as: Person | undefined): Session | undefined {
    return sessions.find((session) => session.as?.name === as?.name);
  }

  /** Opens a session on the console; undefined if there is none, and then the client was told. */
  async function open(as: Person | undefined): Promise<Session | undefined> {
    if (sessions.length >= SESSIONS_PER_CLIENT) {
      close(TRY_AGAIN_LATER, "too many users of one connection");
      return undefined;
    }
    const opened = await hub.session(id, as, from, { receive, closed: consoleClosed });
    if (isRefusal(opened)) {
      // The client tries again by itself: the console may be there by then.
      close(UNREACHABLE, reasonIn(opened.message));
      return undefined;
    }
    if (!isOpen) {
      opened.close(NORMAL_CLOSURE, "");
      return undefined;
    }
    const session = { as, socket: opened, largest: 0 };
    sessions.push(session);
    return session;
  }

  /** Takes what the console sends. */
  function receive(data: unknown): void {
    if (!isOpen || typeof data !== "string") return;
    const isUpdate = data.startsWith('{"method":"update"');
    const isAnswer = !isUpdate && !data.startsWith('{"method":"event"');
    if (!isAnswer && hasLoggedOut && !mayAnybody) return;
    if (!isUpdate) return outbox.send(data);
    try {
      outbox.update({
        path: "",
        text: data,
        // It is parsed only if the client lags and it has to be merged.
        get patch() {
          return patchIn(data);
        },
      });
    } catch (fault) {
      close(INTERNAL_ERROR, "the console sent an update that is none", fault);
    }
  }

  function consoleClosed(code?: number, reason?: string): void {
    const isSent = code !== undefined && maySend(code);
    if (isSent) close(code, reasonIn(reason ?? ""));
    else close(UNREACHABLE, "the connection to the console was lost");
  }

  function forward(session: Session, text: string): void {
    const unread = session.socket.bufferedAmount;
    if (unread === 0) session.largest = 0;
    if (unread - session.largest > WAITING_BYTES) {
      return close(TRY_AGAIN_LATER, "the console reads too slowly for so many requests");
    }
    session.largest = Math.max(session.largest, text.length);
    session.socket.send(text);
  }

  async function forwardAs(as: Person | undefined, text: string): Promise<void> {
    const session = sessionOf(as) ?? await open(as);
    if (session !== undefined && isOpen) forward(session, text);
  }

  /** Passes a message on, after a search for tokens of the fleet. */
  async function take(text: string): Promise<void> {
    const isLookedAt = mayHaveToken(text) || (loggedIn === undefined && !mayAnybody);
    const sender = loggedIn === undefined ? "stranger" : "user";
    const parsed = isLookedAt ? parseMessage(text, sender) : { message: undefined };
    if (isRefusal(parsed)) return answer({}, parsed);
    const { message } = parsed;
    const token = message?.token;
    const brought = isGiven(token) ? hub.people.ofToken(token) : undefined;
    if (brought !== undefined) {
      if (message?.method !== "auth") {
        const { token: _, ...others } = message!;
        return await forwardAs(brought, JSON.stringify(others));
      }
      // The answer says that requests are answered, so there has to be a session first.
      const session = sessionOf(brought) ?? await open(brought);
      if (session === undefined || !isOpen) return;
      loggedIn = brought;
      hasLoggedOut = false;
      return outbox.send(
        JSON.stringify(succeeded({ ...message, method: "auth" }, { result: undefined })),
      );
    }
    // The session of a user who logs out here stays theirs, for when they log in again.
    if (message?.method === "auth") {
      loggedIn = undefined;
      hasLoggedOut = true;
    }
    if (isGiven(token) && !mayAnybody) {
      const refusal = await hub.refuseLate(BAD_TOKEN, from);
      return isOpen ? answer(message ?? {}, refusal) : undefined;
    }
    if (loggedIn === undefined && !mayAnybody) return answer(message ?? {}, NO_TOKEN);
    await forwardAs(loggedIn, text);
  }

  async function takeWaiting(): Promise<void> {
    isBusy = true;
    try {
      while (isOpen && waiting.length > 0) {
        const text = waiting.shift()!;
        waitingBytes -= text.length;
        await take(text);
      }
    } catch (fault) {
      close(INTERNAL_ERROR, "the hub failed to hand a message on", fault);
    } finally {
      isBusy = false;
    }
  }

  return {
    receive(data) {
      if (!isOpen) return;
      if (typeof data !== "string") {
        return answer(BINARY_FRAME.message, BINARY_FRAME.refusal);
      }
      // A large message of a stranger is not parsed.
      const longest = loggedIn === undefined && !mayAnybody ? LOGIN_BYTES : MESSAGE_BYTES;
      if (data.length > longest) {
        return close(MESSAGE_TOO_BIG, `expected a message of at most ${longest} bytes`);
      }
      const session = isBusy || mayHaveToken(data) ? undefined : sessionOf(loggedIn);
      if (session !== undefined && (loggedIn !== undefined || mayAnybody)) {
        return forward(session, data);
      }
      waiting.push(data);
      waitingBytes += data.length;
      if (waitingBytes > WAITING_BYTES && waiting.length > 1) {
        return close(TRY_AGAIN_LATER, "too many requests are waiting for the console");
      }
      if (!isBusy) void takeWaiting();
    },
    closed() {
      if (isOpen) end();
    },
  };
}

function patchIn(text: string): Patch {
  const excess = jsonExcess(text, RELAYED_VALUES);
  const payload: unknown = excess === undefined ? objectIn(text)?.payload : undefined;
  if (!isBranch(payload)) throw new TypeError("expected an update");
  return payload as Patch;
}

/** Says whether a WebSocket may be closed with a code. */
function maySend(code: number): boolean {
  return code === 1000 || code === 1001 || (code >= 1007 && code <= 1014) ||
    (code >= 3000 && code < 5000);
}

const REASON_BYTES = 123;

/** Shortens a reason to the length that a close frame can have. */
function reasonIn(text: string): string {
  let reason = text;
  while (new TextEncoder().encode(reason).length > REASON_BYTES) reason = reason.slice(0, -1);
  return reason;
}
