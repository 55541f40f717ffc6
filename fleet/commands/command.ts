/**
 * A command: a request that a hub has a console carry out exactly once, and its outcome
 * (docs/fleet.md).
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Change } from "../../core/noted-changes.ts";
import type { Patch } from "../../core/tree/tree.ts";
import type { CommandKind, CommandRequest, ConsoleId, FleetUser } from "../wire.ts";

export type { CommandKind, CommandRequest } from "../wire.ts";

/** A command to one console. Times are those of the hub, in ms since 1970. */
export interface Command {
  /**
   * 32 lower-case hexadecimal digits, unique among the commands of the console, which remembers it
   * until `expires`.
   */
  readonly id: string;
  readonly console: ConsoleId;
  /** The id of the batch that it is part of, in the form of `id`. */
  readonly batch: string;
  readonly kind: CommandKind;
  /** The console does not begin it at this time or later. */
  readonly expires: number;
  /** When the console begins it, on its 20 ms grid; at once if undefined. */
  readonly at?: number;
  /** Required values by their paths; if the console has another value, the command is refused. */
  readonly require?: Readonly<Record<string, Json>>;
  readonly request: CommandRequest;
  readonly by: FleetUser;
  /** The address of the client of the hub, for the audit trail of the console. */
  readonly from: string;
}

/**
 * `queued`: in the ledger. `sent`: given to the console, which has not answered yet. `done`,
 * `refused`: by the console or the hub. `expired`: it was not begun, and never will be. `unknown`:
 * it was sent to the console, or to the ledger, which has not answered in time.
 */
export const OUTCOMES = ["queued", "sent", "done", "refused", "expired", "unknown"] as const;

/** One of {@link OUTCOMES}. */
export type CommandOutcome = typeof OUTCOMES[number];

/** The outcome of a command. */
export interface CommandResult {
  readonly id: string;
  readonly console: ConsoleId;
  readonly batch: string;
  readonly outcome: CommandOutcome;
  /** When the command got this outcome, by the hub's clock in ms since 1970. */
  readonly time: number;
  /** The reason; only with `refused`, `expired` and `unknown`. */
  readonly why?: string;
  /** The error code of the console; only with `refused`. */
  readonly code?: number;
  /** The result of the request; only with `done`. */
  readonly result?: Json;
}

/** The outcome of a kept command, as a hub knows it. */
export interface KnownOutcome extends Pick<CommandResult, "outcome" | "why" | "code"> {
  /** When it got this outcome, in ms since 1970; undefined where the ledger does not say. */
  readonly time: number | undefined;
}

/** The effect that a command would have now, as the console reports it without carrying it out. */
export interface CommandPreview {
  readonly console: ConsoleId;
  /**
   * The values of the control tree that would change: the present values, and the values after the
   * change.
   */
  readonly before?: Patch;
  readonly after?: Patch;
  /** The values outside the control tree that would change. */
  readonly changes?: readonly Change[];
  /** The number of further values that would change. */
  readonly more?: number;
  /** The reason for which it would be refused. */
  readonly refused?: string;
  /** The reason for which there is no preview; the command may be carried out nevertheless. */
  readonly noPreview?: string;
}

/** Sends commands through a hub, and reports their outcomes. */
export interface Commands {
  /**
   * Takes commands, all of one batch. A kept command is in the ledger when this resolves; if the
   * ledger did not take it, its result is `refused`, and if the ledger did not answer, `unknown`. A
   * live command to a console that is not live is `refused` at once.
   */
  submit(commands: readonly Command[]): Promise<void>;
  /**
   * Returns the present outcome of a kept command; undefined where the ledger has neither the
   * command nor a result of it.
   */
  outcomeOf(command: Pick<Command, "console" | "id">): KnownOutcome | undefined;
  /**
   * Asks consoles for previews of commands. It passes each answer to `said` when it arrives, so
   * that the answers need not be in memory together. Resolves after the last answer.
   */
  preview(commands: readonly Command[], said: (preview: CommandPreview) => void): Promise<void>;
  /**
   * Calls `listener` with each result, also with intermediate outcomes; the returned function ends
   * that.
   */
  watch(listener: (result: CommandResult) => void): () => void;
}
