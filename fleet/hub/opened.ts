/**
 * The sockets to consoles that are open for users. Each is closed as soon as the right of its user
 * on its console has changed since it was opened.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import type { Listener } from "../../transport/arrival.ts";
import { SERVICE_RESTART } from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import type { Person } from "./rights.ts";
import type { ConsoleId, FleetUser } from "../wire.ts";

/** The open sockets. */
export interface Opened {
  /** Opens a socket to a console by `open`, which gets the user with the right there. */
  open(
    id: ConsoleId,
    as: Person | undefined,
    listener: Listener,
    open: (user: FleetUser | undefined, listener: Listener) => Promise<Socket | Refusal>,
  ): Promise<Socket | Refusal>;
  /** Closes the sockets to a console whose users have another right there now. */
  judge(id: ConsoleId): void;
  judgeAll(): void;
}

interface OpenSocket {
  readonly as: Person;
  readonly may: FleetUser["may"];
  readonly close: (reason: string) => void;
}

/**
 * The reasons for which sockets are closed, with the close code that a console itself uses for
 * them.
 */
const REMOVED = "the user was removed, or has another token";
const CHANGED = "the user has other rights";

/**
 * Makes the open sockets, none at first; `vouchedAt` returns a user with the right on a console.
 */
export function createOpened(
  vouchedAt: (as: Person, id: ConsoleId) => FleetUser | Refusal,
): Opened {
  const opened = new Map<ConsoleId, Set<OpenSocket>>();

  function judge(id: ConsoleId): void {
    for (const socket of [...opened.get(id) ?? []]) {
      const vouched = vouchedAt(socket.as, id);
      if (vouched === BAD_TOKEN) socket.close(REMOVED);
      else if (isRefusal(vouched) || vouched.may !== socket.may) socket.close(CHANGED);
    }
  }

  function list(id: ConsoleId, socket: OpenSocket): () => void {
    const ofConsole = opened.get(id) ?? new Set();
    opened.set(id, ofConsole.add(socket));
    return () => {
      ofConsole.delete(socket);
      if (ofConsole.size === 0 && opened.get(id) === ofConsole) opened.delete(id);
    };
  }

  return {
    async open(id, as, listener, open) {
      if (as === undefined) return await open(undefined, listener);
      const vouched = vouchedAt(as, id);
      if (isRefusal(vouched)) return vouched;
      let close = (_reason: string) => {};
      let revoked: string | undefined;
      const unlist = list(id, {
        as,
        may: vouched.may,
        close(reason) {
          revoked = reason;
          close(reason);
        },
      });
      const socket = await open(vouched, {
        receive: (data) => listener.receive(data),
        closed(code, reason) {
          unlist();
          listener.closed(code, reason);
        },
      });
      if (isRefusal(socket)) {
        unlist();
        return socket;
      }
      close = (reason) => {
        unlist();
        socket.close(SERVICE_RESTART, reason);
        listener.closed(SERVICE_RESTART, reason);
      };
      // The rights may have changed while the console dialled.
      if (revoked === undefined) return socket;
      close(revoked);
      return BAD_TOKEN;
    },
    judge,
    judgeAll() {
      for (const id of [...opened.keys()]) judge(id);
    },
  };
}
