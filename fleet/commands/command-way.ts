/**
 * The parts that live and kept commands share on their way through a hub.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Clock, Timer } from "../../core/ports.ts";
import type { Command, CommandResult } from "./command.ts";
import type { ConsoleEntry, HeldConsole } from "../hub/hub-core.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Person } from "../hub/rights.ts";
import { lesserMay } from "../vouched-user.ts";
import type { ConsoleId, FleetUser, FromHub } from "../wire.ts";

/** Sends a frame on one connection of a console. */
export type Send = (frame: FromHub) => void;

/** The parts of a hub that its commands use. */
export interface CommandsParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Returns the present entry of a console. */
  console(id: ConsoleId): ConsoleEntry | undefined;
  /** Refuses a command to a console that cannot be reached now. */
  reachRefusal(id: ConsoleId): Refusal | undefined;
  /** Returns the function that sends frames to a console on its present connection. */
  sender(id: ConsoleId): Send | undefined;
  /** Returns a console that the hub dials itself. */
  held(id: ConsoleId): HeldConsole | undefined;
  /** Returns a user with the right that counts on a console now. */
  vouchedAt(as: Person, id: ConsoleId): FleetUser | Refusal;
  /** Returns the present entry of a user; undefined for a removed user. */
  refresh(user: Person): Person | undefined;
  /**
   * Says whether the ledger has the user and the console of a command as this hub knows them: a
   * shared ledger may tell this hub of them later than of the command. Rejects with a {@link
   * LedgerError} where the ledger does not answer.
   */
  isCurrent(command: Pick<Command, "console" | "by">): Promise<boolean>;
  /** Forgets a batch in the ledger. Rejects as {@link Ledger.remove} does. */
  forgetBatch(id: string): Promise<void>;
  /** Calls `listener` with each console that has changed. */
  watchConsoles(listener: (id: ConsoleId, entry: ConsoleEntry | undefined) => void): () => void;
  readonly onFault: (fault: unknown) => void;
}

/** The outcome of a command, and its reason. */
export type Became = Omit<CommandResult, "id" | "console" | "batch" | "time">;

/** Reports the outcome of a command. */
export type Tell = (command: Pick<Command, "id" | "console" | "batch">, became: Became) => void;

/** The connection to a console that can be reached now, and the user with the right for it. */
export interface Reached {
  readonly send: Send;
  readonly as: FleetUser;
}

/**
 * Finds the connection for a command; refused if its console cannot be reached, or if its user was
 * removed or has no right there.
 */
export function reach(
  { reachRefusal, sender, vouchedAt, refresh }: CommandsParts,
  { console, by }: Pick<Command, "console" | "by">,
): Reached | Refusal {
  if (refresh(by) === undefined) {
    return refuse("noRight", `${by.name} is no user of the fleet any more`);
  }
  const vouched = vouchedAt(by, console);
  if (isRefusal(vouched)) return vouched;
  const refusal = reachRefusal(console);
  if (refusal !== undefined) return refusal;
  const send = sender(console);
  if (send === undefined) return refuse("noSuchObject", "the console is not connected");
  return { send, as: { name: by.name, may: lesserMay(by.may, vouched.may) } };
}

/** Returns the frame of a command. */
export function frameOf(command: Command, as: FleetUser): FromHub {
  const { id, batch, kind, expires, at, require, request, from } = command;
  return {
    type: "do",
    id,
    batch,
    kind,
    expires,
    request,
    as,
    from,
    ...(at === undefined ? {} : { at }),
    ...(require === undefined ? {} : { require }),
  };
}

/** Returns the outcome of a refused command. */
export function refusedBy({ message, code }: Refusal): Became {
  return { outcome: "refused", why: message, code };
}

/** The outcome of a command that expired before it was begun. */
export const EXPIRED: Became = { outcome: "expired", why: "its time was over before it was begun" };

/** Returns the key of a command of a console. */
export function keyOf(console: ConsoleId, id: string): string {
  return `${console}.${id}`;
}
