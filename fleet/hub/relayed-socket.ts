/**
 * A WebSocket of a client that a hub passes on to a console. Messages of the console go to the
 * client as the console's own service would send them: a client that reads slowly gets the last
 * value of each leaf. No token of the fleet reaches the console.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { jsonExcess, objectIn } from "../../core/json.ts";
import type { Timer } from "../../core/ports.ts";
import { isBranch, type Patch } from "../../core/tree/tree.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import { BINARY_FRAME, failed, succeeded } from "../../transport/control-api/envelope.ts";
import type { MemoryQuota } from "../../transport/memory-quota.ts";
import { NO_TOKEN } from "../../transport/request-token.ts";
import { isGiven } from "../../transport/tokens.ts";
import {
  GOING_AWAY,
  INTERNAL_ERROR,
  MESSAGE_TOO_BIG,
  TRY_AGAIN_LATER,
  UNREACHABLE,
} from "../../transport/websocket/close-codes.ts";
import {
  createSendBuffer,
  type Socket,
  type Update,
} from "../../transport/websocket/send-buffer.ts";
import { createClientSessions } from "./client-sessions.ts";
import type { ClientListener } from "./client-sockets.ts";
import type { Hub } from "./hub.ts";
import { LOGIN_BYTES, MESSAGE_BYTES, RELAYED_VALUES } from "./hub-limits.ts";
import { mayHaveToken, parseMessage } from "./message-token.ts";
import type { Person } from "./rights.ts";
import { createSubscribedPaths, type SubscribedPaths } from "./subscribed-paths.ts";
import { createWaitingMessages } from "./waiting-messages.ts";
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

/** Passes the messages of a client's socket on to a console. */
export function relay(
  { hub, id, from, user, timer, quota }: RelayParts,
  socket: Socket,
): ClientListener {
  const sessions = createClientSessions({
    hub,
    id,
    from,
    listener: { receive, closed: consoleClosed },
    closeClient: close,
  });
  const sendBuffer = createSendBuffer(
    socket,
    from,
    () => close(TRY_AGAIN_LATER, "too much is waiting to be read"),
    timer,
    quota,
  );
  const subscribed = createSubscribedPaths();
  const mayAnybody = hub.anonymous === "console";
  let loggedIn = user;
  let isStranger = user === undefined;
  let hasLoggedOut = false;
  let isOpen = true;
  const waiting = createWaitingMessages(
    take,
    (fault) => close(INTERNAL_ERROR, "the hub failed to hand a message on", fault),
  );

  function close(code: number, reason: string, fault?: unknown): void {
    if (!isOpen) return;
    end();
    socket.close(code, reasonIn(reason), fault);
  }

  const stopListening = hub.onClose(() => close(GOING_AWAY, "the hub is stopping"));

  function end(): void {
    isOpen = false;
    stopListening();
    sendBuffer.close();
    waiting.clear();
    sessions.close();
  }

  function answer(message: Readonly<Record<string, unknown>>, refusal: Refusal): void {
    sendBuffer.send(JSON.stringify(failed(message, refusal)));
  }

  /** Takes what the console sends. */
  function receive(data: unknown): void {
    if (!isOpen || typeof data !== "string") return;
    const isUpdate = data.startsWith('{"method":"update"');
    const isAnswer = !isUpdate && !data.startsWith('{"method":"event"');
    if (!isAnswer && hasLoggedOut && !mayAnybody) return;
    if (isAnswer) subscribed.takeAnswer(data).forEach((path) => sendBuffer.forget(path));
    if (!isUpdate) return sendBuffer.send(data);
    try {
      sendBuffer.update(updateIn(data, subscribed));
    } catch (fault) {
      close(INTERNAL_ERROR, "the console sent an update that is none", fault);
    }
  }

  function consoleClosed(code?: number, reason?: string): void {
    const isSent = code !== undefined && maySend(code);
    if (isSent) close(code, reason ?? "");
    else close(UNREACHABLE, "the connection to the console was lost");
  }

  async function forwardAs(as: Person | undefined, text: string): Promise<void> {
    const session = sessions.of(as) ?? await sessions.open(as);
    if (session !== undefined && isOpen) session.send(text);
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
      isStranger = false;
      if (message?.method !== "auth") {
        const { token: _, ...others } = message!;
        return await forwardAs(brought, JSON.stringify(others));
      }
      // The answer says that requests are answered, so there has to be a session first.
      const session = sessions.of(brought) ?? await sessions.open(brought);
      if (session === undefined || !isOpen) return;
      loggedIn = brought;
      hasLoggedOut = false;
      return sendBuffer.send(
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
      const hasToWait = waiting.isBusy || mayHaveToken(data);
      const session = hasToWait ? undefined : sessions.of(loggedIn);
      if (session !== undefined && (loggedIn !== undefined || mayAnybody)) {
        return session.send(data);
      }
      if (!waiting.add(data)) {
        close(TRY_AGAIN_LATER, "too many requests are waiting for the console");
      }
    },
    closed() {
      if (isOpen) end();
    },
    isStranger: () => isStranger,
  };
}

/** Returns an update of the console, which is parsed only if the client lags and it is merged. */
function updateIn(text: string, subscribed: SubscribedPaths): Update {
  let parsed: Patch | undefined;
  const patch = () => parsed ??= patchIn(text);
  return {
    text,
    get path() {
      return subscribed.pathOf(patch());
    },
    get patch() {
      return patch();
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
