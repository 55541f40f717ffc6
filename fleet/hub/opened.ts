/**
 * The sockets to consoles that are open for users. Each is closed as soon as the right of its user
 * on its console has changed since it was opened.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/outbox.ts";
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
  readonly close: () => void;
}

/** The close code of a session whose user was removed, or has another right: "policy violation". */
const REVOKED = 1008;

const REASON = "the rights of the user have changed";

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
      if (isRefusal(vouched) || vouched.may !== socket.may) socket.close();
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
      let close = () => {};
      let isRevoked = false;
      const unlist = list(id, {
        as,
        may: vouched.may,
        close() {
          isRevoked = true;
          close();
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
      close = () => {
        unlist();
        socket.close(REVOKED, REASON);
        listener.closed(REVOKED, REASON);
      };
      // The rights may have changed while the console dialled.
      if (!isRevoked) return socket;
      close();
      return BAD_TOKEN;
    },
    judge,
    judgeAll() {
      for (const id of [...opened.keys()]) judge(id);
    },
  };
}
