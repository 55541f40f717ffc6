/**
 * The tickets of a hub on the console's side: for each ticket the console dials a socket, and
 * passes it to its service.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";
import type { Service } from "../../transport/arrival.ts";
import { serveExchanges } from "./served-exchanges.ts";
import type { Dial, Line, LineListener } from "./line.ts";
import { openFleetSession } from "./fleet-session.ts";
import type { SummaryOptions } from "./summary.ts";
import { vouchedOf } from "../vouched-user.ts";
import { type FromHub, UPLINK_PATHS } from "../wire.ts";

/** Maximum length of a reason. */
const WHY_LENGTH = 500;

/** Maximum number of sockets of tickets. */
const SOCKETS = 1024;

/** A ticket. */
export type Ticket = Extract<FromHub, { readonly type: "open" }>;

/** The ports and options of tickets. */
export interface TicketsOptions {
  readonly summary: Pick<SummaryOptions, "may">;
  readonly service: Service;
  readonly timer: Timer;
  readonly dial: Dial;
  /** Called when the service fails to answer. */
  readonly onFault: (fault: unknown) => void;
  /** Tells the hub that a ticket is not used, and why. */
  unused(ticket: string, why: string): void;
}

/** The tickets of one connection. */
export interface Tickets {
  open(ticket: Ticket): void;
  /** Ends all sockets. */
  stop(): void;
}

/** Close code, as the hub gets it, of a socket whose control socket has ended. */
const GONE = 4001;

/** Makes the tickets of a hub; none is open. */
export function createTickets(hub: string, options: TicketsOptions): Tickets {
  const { service, timer, dial, onFault, summary } = options;
  const unused = (ticket: string, why: string) => options.unused(ticket, why.slice(0, WHY_LENGTH));
  const lines = new Set<Line>();
  let stopped = false;

  return {
    open({ ticket, kind, as, from }) {
      if (lines.size >= SOCKETS) return unused(ticket, `there are ${SOCKETS} sessions already`);
      const dialTicket = (listener: LineListener) => {
        const line = dial(hub, `${UPLINK_PATHS.ticket}${ticket}`, {
          ...listener,
          closed(code, reason) {
            lines.delete(line);
            listener.closed(code, reason);
          },
        });
        lines.add(line);
        if (stopped) line.close(GONE, "the uplink has ended");
        return line;
      };
      const caller = { client: from, vouched: vouchedOf(as, summary.may) };
      if (kind === "http") {
        return serveExchanges(dialTicket, { ...caller, service, timer, onFault });
      }
      const session = { ...caller, service, unused: (why: string) => unused(ticket, why) };
      openFleetSession(dialTicket, session).catch(onFault);
    },
    stop() {
      stopped = true;
      for (const line of [...lines]) line.close(GONE, "the uplink has ended");
    },
  };
}
