/**
 * The sessions of one client on a console: one for each user of the fleet as whom the client sends
 * messages, and one for messages without a user.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import type { Listener } from "../../transport/arrival.ts";
import {
  NORMAL_CLOSURE,
  TRY_AGAIN_LATER,
  UNREACHABLE,
} from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import type { HubCore } from "./hub-core.ts";
import { SESSIONS_PER_CLIENT, WAITING_BYTES } from "./hub-limits.ts";
import type { Person } from "./rights.ts";
import type { ConsoleId } from "../wire.ts";

/** The parts of {@link createClientSessions}. */
export interface ClientSessionsParts {
  readonly hub: Pick<HubCore, "session">;
  readonly id: ConsoleId;
  /** The address of the client. */
  readonly from: string;
  /** Receives the messages of the console on all sessions, and the end of each session. */
  readonly listener: Listener;
  /** Closes the socket of the client, and these sessions. */
  closeClient(code: number, reason: string): void;
}

/** A session on the console for one user of the client. */
export interface ClientSession {
  readonly as: Person | undefined;
  /**
   * Sends a message to the console. Closes the client instead if more than 1 MiB, besides the
   * largest message, waits to be read by the console.
   */
  send(text: string): void;
}

/** The sessions of one client. */
export interface ClientSessions {
  /** Returns the open session of a user; undefined if there is none. */
  of(as: Person | undefined): ClientSession | undefined;
  /**
   * Opens a session for a user without an open session. Undefined if the console refused it or the
   * client has too many sessions; then the client is closed.
   */
  open(as: Person | undefined): Promise<ClientSession | undefined>;
  /** Closes all sessions, and each session that is opened later. */
  close(): void;
}

/** Makes the sessions of a client, none at first. */
export function createClientSessions(
  { hub, id, from, listener, closeClient }: ClientSessionsParts,
): ClientSessions {
  const sessions = new Map<ClientSession, Socket>();
  let isOpen = true;

  function sessionOn(socket: Socket, as: Person | undefined): ClientSession {
    /** Characters of the largest message since the buffer of the socket was last empty. */
    let largest = 0;
    return {
      as,
      send(text) {
        const unread = socket.bufferedAmount;
        if (unread === 0) largest = 0;
        if (unread - largest > WAITING_BYTES) {
          const reason = "the console reads too slowly for so many requests";
          return closeClient(TRY_AGAIN_LATER, reason);
        }
        largest = Math.max(largest, text.length);
        socket.send(text);
      },
    };
  }

  return {
    of: (as) => sessions.keys().find((session) => session.as?.name === as?.name),
    async open(as) {
      if (sessions.size >= SESSIONS_PER_CLIENT) {
        closeClient(TRY_AGAIN_LATER, "too many users of one connection");
        return undefined;
      }
      const opened = await hub.session(id, as, from, listener);
      if (isRefusal(opened)) {
        // The client tries again by itself: the console may be there by then.
        closeClient(UNREACHABLE, opened.message);
        return undefined;
      }
      if (!isOpen) {
        opened.close(NORMAL_CLOSURE, "");
        return undefined;
      }
      const session = sessionOn(opened, as);
      sessions.set(session, opened);
      return session;
    },
    close() {
      isOpen = false;
      const sockets = [...sessions.values()];
      sessions.clear();
      for (const socket of sockets) socket.close(NORMAL_CLOSURE, "");
    },
  };
}
