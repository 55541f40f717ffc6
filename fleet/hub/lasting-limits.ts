/**
 * The limits of consoles that hold across their connections: a console that breaks the protocol is
 * refused for a while, and its reports that disconnect clients have a rate limit.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";
import { CLOSING_RATE, PENALTY_MS } from "./hub-limits.ts";
import { closesClients } from "./presence.ts";
import { createRate, type Rate } from "./rate.ts";
import type { ConsoleId, Summary } from "../wire.ts";

/** The limits of all consoles of a hub. */
export interface LastingLimits {
  /** Begins the penalty of a console that broke the protocol. */
  punish(id: ConsoleId): void;
  /** Returns the remaining time in ms for which a console is refused; 0 without a penalty. */
  penalty(id: ConsoleId): number;
  /** Says whether a console may report a summary that disconnects clients, if it does. */
  mayClose(id: ConsoleId, before: Summary, after: Summary): boolean;
  /** Ends the limits of a console that was removed from the fleet. */
  forget(id: ConsoleId): void;
}

/** Makes the limits of a hub, without penalties at first. */
export function createLastingLimits({ monotonic: now }: Pick<Timer, "monotonic">): LastingLimits {
  const deafUntil = new Map<ConsoleId, number>();
  /** The rates of the reports that disconnect clients, whatever connections they come on. */
  const closing = new Map<ConsoleId, Rate>();
  return {
    punish: (id) => void deafUntil.set(id, now() + PENALTY_MS),
    penalty(id) {
      const until = deafUntil.get(id) ?? -Infinity;
      if (until > now()) return until - now();
      deafUntil.delete(id);
      return 0;
    },
    mayClose(id, before, after) {
      if (before === after || !closesClients(before, after)) return true;
      const rate = closing.get(id) ?? createRate(CLOSING_RATE.most, CLOSING_RATE.perSecond);
      closing.set(id, rate);
      return rate.take(1, now());
    },
    forget(id) {
      deafUntil.delete(id);
      closing.delete(id);
    },
  };
}
