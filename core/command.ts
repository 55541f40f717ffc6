/**
 * Commands, which can be asked of a console, and their outcomes.
 *
 * @module
 */
import type { Refusal } from "./errors.ts";
import type { ConsoleEvent } from "./events.ts";
import type { Clock, Random } from "./ports.ts";
import type { State } from "./state.ts";
import type { Actor } from "./users/user.ts";

/** The ports that the decisions of a console need. */
export interface DecisionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Counts the WebSocket connections that are open now; without it there are none. */
  readonly connections?: (() => number) | undefined;
}

/** A decision is the events and the result of a command, or a refusal. */
export type Decision<Result> =
  | Refusal
  | {
    readonly events: readonly ConsoleEvent[];
    readonly result: Result;
    /**
     * Says whether the decision has to wait for an event that is on its way to the medium, and be
     * made anew then. It is for commands that never touch the medium themselves but follow one that
     * does.
     */
    readonly waitsFor?: (event: ConsoleEvent) => boolean;
    /** Set where the command is not charged to the write budget of the actor (`limits.writes`). */
    readonly uncharged?: true;
  };

/**
 * A command is a pure function from the state and the actor to a decision.
 */
export type Command<Result> = (
  state: State,
  actor: Actor,
  ports: DecisionPorts,
) => Decision<Result>;

/** The result of a command that only tells that it was carried out. */
export type Done = Record<string, never>;

/** The answer to an actor: the refusal or the result of a command. */
export type Outcome<Result> = Refusal | {
  readonly result: Result;
  /** Set where it is in force but not on the medium, which fails: a restart may not find it. */
  readonly durable?: false;
};
