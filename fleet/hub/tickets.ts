/**
 * Tickets: for each ticket a console dials one socket. A ticket is random, is sent to one console
 * alone, and is valid once.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import { after, type Random, type Timer } from "../../core/ports.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { TRY_AGAIN_LATER } from "../../transport/websocket/close-codes.ts";
import { DEAF } from "./guarded-listener.ts";
import {
  SESSION_RATE,
  SESSION_RATES,
  TICKET_SOCKETS,
  TICKET_SOCKETS_PER_USER,
} from "./hub-limits.ts";
import { knownOf } from "./bounded-map.ts";
import { createRate, type Rate } from "./rate.ts";
import {
  type ConsoleId,
  type FleetUser,
  type FromHub,
  SESSION_CLOSE_OFFSET,
  TICKET_MS,
} from "../wire.ts";

/** The purpose of a ticket. */
export interface TicketAsked {
  readonly id: ConsoleId;
  readonly kind: "session" | "http";
  readonly as: FleetUser | undefined;
  readonly from: string;
  /** Sends a frame to the console. */
  readonly send: (frame: FromHub) => void;
  /** Receives the events of the socket of the ticket. */
  readonly listener: Listener;
}

/** The tickets of a hub. */
export interface Tickets {
  /** Number of open sockets. */
  count(): number;
  /** Asks a console for a socket; refused if it does not dial in time. */
  open(asked: TicketAsked): Promise<Socket | Refusal>;
  /**
   * Takes a ticket that a console brings; undefined for a ticket that is not, or no longer, valid.
   */
  take(ticket: string): ((socket: Socket) => Listener) | undefined;
  /** Takes note that a console does not use a ticket. */
  unused(id: ConsoleId, ticket: string, why: string): void;
  /** Closes all sockets of a console. */
  end(id: ConsoleId, why: string): void;
}

interface Pending {
  readonly asked: TicketAsked;
  /** Whether the console has brought it: it is valid once. */
  isTaken: boolean;
  settle(outcome: Socket | Refusal): void;
}

/** "Going away", to the console and to the client. */
const GOING_AWAY = 1001;

/** Returns the owner of a socket: a user, or an address. A name of a user has no space. */
function ownerOf({ as, from }: TicketAsked): string {
  return as?.name ?? `from ${from}`;
}

/** Makes the tickets of a hub. */
export function createTickets(
  { timer, random }: { readonly timer: Timer; readonly random: Random },
): Tickets {
  const pending = new Map<string, Pending>();
  /** The open sockets of each console, and the owner of each. */
  const sockets = new Map<ConsoleId, Map<Socket, string>>();
  /** The rate limits of sessions, by console and owner: a new session gets no new limit. */
  const rates = new Map<string, Rate>();

  /** Says whether a console, or one user on it, has reached its maximum number of sockets. */
  function isFull(id: ConsoleId, owner: string): boolean {
    const owners = [...sockets.get(id)?.values() ?? []];
    for (const { asked } of pending.values()) if (asked.id === id) owners.push(ownerOf(asked));
    return owners.length >= TICKET_SOCKETS ||
      owners.filter((other) => other === owner).length >= TICKET_SOCKETS_PER_USER;
  }

  /** Returns the function that says whether a socket may receive a message. */
  function allowanceOf(asked: TicketAsked): (data: unknown) => boolean {
    // The parts of a file wait until they are taken, so they need no limit.
    if (asked.kind === "http") return () => true;
    const key = `${asked.id} ${ownerOf(asked)}`;
    const { bytes, bytesPerSecond, overhead } = SESSION_RATE;
    const rate = knownOf(rates, key, SESSION_RATES, () => createRate(bytes, bytesPerSecond));
    let isOver = false;
    return (data) => {
      const size = typeof data === "string" ? data.length : (data as ArrayBuffer).byteLength;
      isOver ||= !rate.take(size + overhead, timer.monotonic());
      return !isOver;
    };
  }

  function open(asked: TicketAsked): Promise<Socket | Refusal> {
    const { id, kind, as, from, send } = asked;
    if (isFull(id, ownerOf(asked))) {
      const sentence = "too many sessions of this console are open by this hub";
      return Promise.resolve(refuse("limitReached", sentence));
    }
    const ticket = hexOf(random.bytes(16));
    const outcome = Promise.withResolvers<Socket | Refusal>();
    const settle = (value: Socket | Refusal) => {
      pending.delete(ticket);
      stopWaiting();
      outcome.resolve(value);
    };
    const stopWaiting = after(
      timer,
      TICKET_MS,
      () => settle(refuse("noSuchObject", "the console opened no session within 10 s")),
    );
    pending.set(ticket, { asked, isTaken: false, settle });
    const user = as === undefined ? {} : { as: { name: as.name, may: as.may } };
    send({ type: "open", ticket, kind, from, ...user });
    return outcome.promise;
  }

  return {
    count: () => sockets.values().reduce((sum, ofConsole) => sum + ofConsole.size, 0),
    open,
    take(ticket) {
      const found = pending.get(ticket);
      if (found === undefined || found.isTaken) return undefined;
      found.isTaken = true;
      return (socket) => {
        // The ticket may have expired, or the console may be gone, since the handshake began.
        if (!pending.has(ticket)) {
          socket.close(GOING_AWAY, "nobody waits for this socket any more");
          return DEAF;
        }
        const { id, listener } = found.asked;
        const ofConsole = sockets.get(id) ?? new Map<Socket, string>();
        sockets.set(id, ofConsole.set(socket, ownerOf(found.asked)));
        const mayReceive = allowanceOf(found.asked);
        found.settle(socket);
        return {
          receive(data) {
            if (mayReceive(data)) listener.receive(data);
            else socket.close(TRY_AGAIN_LATER, "the console sends more than the hub takes");
          },
          closed(code, reason) {
            ofConsole.delete(socket);
            if (ofConsole.size === 0 && sockets.get(id) === ofConsole) sockets.delete(id);
            const isMoved = code !== undefined && code >= 1000 + SESSION_CLOSE_OFFSET;
            listener.closed(isMoved ? code - SESSION_CLOSE_OFFSET : code, reason);
          },
        };
      };
    },
    unused(id, ticket, why) {
      const found = pending.get(ticket);
      if (found?.asked.id !== id) return;
      found.settle(refuse("noSuchObject", `the console opened no session: ${why}`));
    },
    end(id, why) {
      for (const { asked, settle } of [...pending.values()]) {
        if (asked.id === id) settle(refuse("noSuchObject", why));
      }
      for (const socket of [...sockets.get(id)?.keys() ?? []]) socket.close(GOING_AWAY, why);
    },
  };
}
