/**
 * A command: a request that a hub has a console carry out exactly once, and its outcome
 * (docs/fleet.md).
 *
 * @module
 */
import type { Patch } from "../../core/tree/tree.ts";
import type { Json } from "../json.ts";
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
  /** The batch of which it is a part: an id as `id`. */
  readonly batch: string;
  readonly kind: CommandKind;
  /** A console does not begin it later. */
  readonly expires: number;
  /** When the console begins it, on its 20 ms grid; without it at once. */
  readonly at?: number;
  /** Values by their paths; where the console has another value, the command is refused. */
  readonly require?: Readonly<Record<string, Json>>;
  readonly request: CommandRequest;
  readonly by: FleetUser;
  /** The address of the client of the hub, for the audit trail of the console. */
  readonly from: string;
}

/**
 * `queued`: in the ledger. `sent`: given to the console, which has not answered yet. `done`,
 * `refused`: by the console or the hub. `expired`: it was not begun, and never will be. `unknown`:
 * the console, or the ledger, was sent it, and has not answered in time.
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
  /** When it became so, by the hub's clock in ms since 1970. */
  readonly time: number;
  /** Why: of `refused`, `expired` and `unknown`. */
  readonly why?: string;
  /** The error code of the console; of `refused`. */
  readonly code?: number;
  /** What the request returned; of `done`. */
  readonly result?: Json;
}

/** What a command would do now, as the console says without doing it. */
export interface CommandPreview {
  readonly console: ConsoleId;
  /** The values that would change: what they are, and what they would be. */
  readonly before?: Patch;
  readonly after?: Patch;
  /** Why it would be refused. */
  readonly refused?: string;
}

/** The way of commands through a hub. */
export interface Commands {
  /**
   * Takes commands, all of one batch. A kept command is in the ledger when this resolves; where the
   * ledger is gone, its result is `refused`. A live command to a console that is not live is
   * `refused` at once.
   */
  submit(commands: readonly Command[]): Promise<void>;
  /**
   * Asks consoles what commands would do. It hands each answer to `said` when it arrives, so that
   * the answers need not be in memory together. Resolves after the last answer.
   */
  preview(commands: readonly Command[], said: (preview: CommandPreview) => void): Promise<void>;
  /** Calls `listener` with each result, of each outcome; the returned function ends that. */
  watch(listener: (result: CommandResult) => void): () => void;
}
