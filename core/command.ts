/**
 * Commands that a console carries out, and their outcomes.
 *
 * @module
 */
import type { Refusal } from "./errors.ts";
import type { ConsoleEvent } from "./events.ts";
import type { Clock, Random } from "./ports.ts";
import type { State } from "./state.ts";
import type { Actor, May } from "./users/user.ts";

/** The ports that the decisions of a console need. */
export interface DecisionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Returns the number of open WebSocket connections; 0 without it. */
  readonly connections?: (() => number) | undefined;
}

/** A decision is the events and the result of a command, or a refusal. */
export type Decision<Result> =
  | Refusal
  | {
    readonly events: readonly ConsoleEvent[];
    readonly result: Result;
    /**
     * Says whether the decision depends on an event that is being stored, so that it has to be made
     * again once that event is in force. Only for commands whose own events are volatile. A decision
     * without events waits for all writes in flight if this is absent, and otherwise only for those
     * that it names.
     */
    readonly waitsFor?: (event: ConsoleEvent) => boolean;
    /** The subject for the audit trail and the steps to undo: the name of a snapshot. */
    readonly subject?: string;
    /** Set if the command is not charged to the write budget of the actor (`limits.writes`). */
    readonly uncharged?: true;
  };

/**
 * A command is a pure function from the state and the actor to a decision.
 */
export interface Command<Result> {
  (state: State, actor: Actor, ports: DecisionPorts): Decision<Result>;
  /**
   * The right that an actor needs for it; by default the right to operate. `null` for a command
   * that itself refuses actors without the right.
   */
  readonly needs?: May | null;
}

/** The result of a command that has no value to return. */
export type Done = Record<string, never>;

/** The answer to an actor: the refusal or the result of a command. */
export type Outcome<Result> = Refusal | {
  readonly result: Result;
  /** Set if the change is in force but could not be stored: it may be lost at a restart. */
  readonly durable?: false;
};
