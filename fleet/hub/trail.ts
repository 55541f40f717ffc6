/**
 * The audit trail of a fleet, as a hub writes it: no single caller but an admin can push the lines
 * of other callers out of it at once by its calls, and no console by the calls that it tells.
 *
 * @module
 */
import type { Clock, Timer } from "../../core/ports.ts";
import { withoutTokens } from "../../core/shown.ts";
import { knownOf } from "./bounded-map.ts";
import { CALL_LINES, CONSOLES, FLEET_USERS, REFUSAL_LINES, TOLD_RATE } from "./hub-limits.ts";
import type { FleetAuditEntry, Ledger } from "../ledger/ledger.ts";
import { createRate, type Rate } from "./rate.ts";
import type { ConsoleId, FleetMay, FromConsole, ToldLine } from "../wire.ts";

/** The audit trail of a fleet. */
export interface Trail {
  /**
   * Appends a line; a call beyond the rate limits of its caller is left out, and counted. What an
   * admin of the whole fleet had carried out has no limit.
   */
  tell(entry: Omit<FleetAuditEntry, "time">): void;
  /**
   * Appends the lines that a console tells. Left out and counted are lines beyond the rate limit of
   * the console, and lines of users who could not have made that call there: `mayOf` returns the
   * right of a user on the console.
   */
  told(
    console: ConsoleId,
    told: Extract<FromConsole, { readonly type: "told" }>,
    mayOf: (user: string) => FleetMay | undefined,
  ): void;
  /** Number of lines of the hub itself that were left out since the start. */
  readonly leftOut: number;
  /** Number of lines of consoles that were left out since the start. */
  readonly toldLeftOut: number;
}

/**
 * The address that stands for the hub: in its own lines, and in requests that it makes to a console
 * for itself.
 */
export const HUB_ITSELF = "hub";

/**
 * Minimum interval in ms between two reported faults of writes: while the ledger takes nothing,
 * each line of each console fails.
 */
const FAULTS_MS = 60_000;

/** Maximum number of rates that are kept: two of a user, one of a console and one of strangers. */
const RATES = CONSOLES + 2 * FLEET_USERS + 1;

/** A console that tells lines. */
interface Teller {
  readonly rate: Rate;
  /** Number of lines that were left out since its last line in the trail. */
  lost: number;
}

/**
 * Makes the writer of the trail; `onFault` is called with faults of writes, at most once a minute.
 */
export function createTrail(
  { ledger, isAdmin, clock, timer, onFault }: {
    readonly ledger: Ledger;
    /** Says whether a user is an admin of the whole fleet now. */
    readonly isAdmin: (user: string) => boolean;
    readonly clock: Clock;
    readonly timer: Timer;
    readonly onFault: (fault: unknown) => void;
  },
): Trail {
  const rates = new Map<string, Rate>();
  const tellers = new Map<ConsoleId, Teller>();
  let leftOut = 0;
  let toldLeftOut = 0;
  let faultAt = -Infinity;

  function append(entry: Omit<FleetAuditEntry, "time">, failed = () => {}): void {
    const time = new Date(clock.now()).toISOString();
    const { user, ...told } = entry;
    // A name, a path or the name of a method may be a token that was put in the wrong place.
    const shown = JSON.parse(withoutTokens(JSON.stringify(told)));
    ledger.append({ time, user, ...shown }).catch((fault) => {
      failed();
      const now = timer.monotonic();
      if (now - faultAt < FAULTS_MS) return;
      faultAt = now;
      onFault(fault);
    });
  }

  return {
    get leftOut() {
      return leftOut;
    },
    get toldLeftOut() {
      return toldLeftOut;
    },
    tell(entry) {
      const { user, refused } = entry;
      // A stranger has nothing carried out but an enrolment, for which an admin made a code.
      const isLimited = refused !== undefined || (user !== undefined && !isAdmin(user));
      if (isLimited) {
        const [key, limit] = refused === undefined
          ? [`calls of ${user}`, CALL_LINES]
          : [callerOf(entry), REFUSAL_LINES];
        const rate = knownOf(rates, key, RATES, () => createRate(limit.most, limit.perSecond));
        if (!rate.take(1, timer.monotonic())) return void leftOut++;
      }
      append(entry);
    },
    told(console, { lines, lost = 0 }, mayOf) {
      const teller = knownOf(tellers, console, CONSOLES, () => ({
        rate: createRate(TOLD_RATE.most, TOLD_RATE.perSecond),
        lost: 0,
      }));
      teller.lost += lost;
      toldLeftOut += lost;
      for (const { user, from = "", ...line } of lines) {
        // The hub has lines of its own for what it does itself.
        if (from === HUB_ITSELF) continue;
        const isTaken = isPossible(line, user === undefined ? "view" : mayOf(user)) &&
          teller.rate.take(1, timer.monotonic());
        if (isTaken) {
          const before = teller.lost;
          teller.lost = 0;
          append(
            { user, from, console, ...line, ...(before === 0 ? {} : { lost: before }) },
            () => {
              // It is counted even where the ledger has not answered, and may have stored it.
              teller.lost += before + 1;
              toldLeftOut++;
            },
          );
        } else {
          teller.lost++;
          toldLeftOut++;
        }
      }
    },
  };
}

/**
 * Says whether a user with this right on the console can have made the call. Calls of several users
 * are only counted, so that no line has a change that nobody made.
 */
function isPossible({ changes, subject }: ToldLine, may: FleetMay | undefined): boolean {
  const isChange = changes !== undefined || subject !== undefined;
  return may !== undefined && !(isChange && may === "view");
}

/** Strangers share one rate limit: a stranger with many addresses gets no more lines. */
function callerOf({ user, what, target }: Omit<FleetAuditEntry, "time">): string {
  if (user !== undefined) return `user ${user}`;
  return what === "uplink" ? `console ${target}` : "stranger";
}
