/**
 * Defines what can be asked of a console, and what it tells in answer.
 *
 * @module
 */
import type { Refusal } from "./errors.ts";
import type { ConsoleEvent } from "./events.ts";
import type { Clock, Random } from "./ports.ts";
import type { State } from "./state.ts";
import type { Actor } from "./users/user.ts";

/** The decisions of a console ask this of the world. */
export interface DecisionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Counts the WebSocket connections that are open now; without it there are none. */
  readonly connections?: (() => number) | undefined;
}

/** A command comes to what happens and what the asker is told, or to why not. */
export type Decision<Result> =
  | Refusal
  | {
    readonly events: readonly ConsoleEvent[];
    readonly result: Result;
    /**
     * Says whether the decision has to wait for an event that is on its way to the medium, and be
     * made anew then. It is for what never touches the medium itself, but comes after something
     * that does.
     */
    readonly waitsFor?: (event: ConsoleEvent) => boolean;
    /** Set where it is not charged to what the asker may write (`limits.writes`). */
    readonly uncharged?: true;
  };

/**
 * A command is asked of the console: a pure function from the state and the asker to a decision.
 */
export type Command<Result> = (
  state: State,
  actor: Actor,
  ports: DecisionPorts,
) => Decision<Result>;

/** A command that has nothing to tell but that it was carried out has this result. */
export type Done = Record<string, never>;

/** The asker is told this in the end. */
export type Outcome<Result> = Refusal | {
  readonly result: Result;
  /** Set where it is in force but not on the medium, which fails: a restart may not find it. */
  readonly durable?: false;
};
