/**
 * The audit trail of a fleet, as a hub writes it: no single caller can push the lines of other
 * callers out of it by refused calls.
 *
 * @module
 */
import type { Clock, Timer } from "../../core/ports.ts";
import { CONSOLES, FLEET_USERS, REFUSAL_LINES } from "./hub-limits.ts";
import type { FleetAuditEntry, Ledger } from "../ledger/ledger.ts";
import { createRate, type Rate } from "./rate.ts";

/** The audit trail of a fleet. */
export interface Trail {
  /**
   * Appends a line; a refused call beyond the rate limit of its caller is left out, and counted.
   */
  tell(entry: Omit<FleetAuditEntry, "time">): void;
  /** Number of lines that were left out since the start. */
  readonly leftOut: number;
}

/** Maximum number of callers whose rates are kept. */
const CALLERS = CONSOLES + FLEET_USERS + 1;

/** Makes the writer of the trail; `onFault` is called with each fault of a write. */
export function createTrail(
  { ledger, clock, timer, onFault }: {
    readonly ledger: Ledger;
    readonly clock: Clock;
    readonly timer: Timer;
    readonly onFault: (fault: unknown) => void;
  },
): Trail {
  const rates = new Map<string, Rate>();
  let leftOut = 0;

  function rateOf(caller: string): Rate {
    const known = rates.get(caller);
    if (known !== undefined) return known;
    const [oldest] = rates.keys();
    if (rates.size >= CALLERS) rates.delete(oldest!);
    const rate = createRate(REFUSAL_LINES.most, REFUSAL_LINES.perSecond);
    rates.set(caller, rate);
    return rate;
  }

  return {
    get leftOut() {
      return leftOut;
    },
    tell(entry) {
      const isLeftOut = entry.refused !== undefined &&
        !rateOf(callerOf(entry)).take(1, timer.monotonic());
      if (isLeftOut) return void leftOut++;
      const time = new Date(clock.now()).toISOString();
      ledger.append({ time, ...entry }).catch(onFault);
    },
  };
}

/** Strangers share one rate limit: a stranger with many addresses gets no more lines. */
function callerOf({ user, what, target }: Omit<FleetAuditEntry, "time">): string {
  if (user !== undefined) return `user ${user}`;
  return what === "uplink" ? `console ${target}` : "stranger";
}
