/**
 * What can be asked of a console, and what it is told in answer.
 *
 * @module
 */
import type { Refusal } from "./errors.ts";
import type { Event } from "./events.ts";
import type { Clock, Random } from "./ports.ts";
import type { State } from "./state.ts";
import type { Actor } from "./users/user.ts";

/** What the decisions of a console ask of the world. */
export interface DecisionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** How many WebSocket connections are open now; without it there are none. */
  readonly connections?: (() => number) | undefined;
}

/** What a command comes to: what happens and what the asker is told, or why not. */
export type Decision<Result> =
  | Refusal
  | {
    readonly events: readonly Event[];
    readonly result: Result;
    /**
     * For what never touches the medium but comes after something that does: whether it has to wait
     * for an event that is on its way there. It is decided anew then.
     */
    readonly waitsFor?: (event: Event) => boolean;
  };

/** Something asked of the console: a pure function from the state and the asker to a decision. */
export type Command<Result> = (
  state: State,
  actor: Actor,
  ports: DecisionPorts,
) => Decision<Result>;

/** The result of a command that has nothing to tell but that it was carried out. */
export type Done = Record<string, never>;

/** What the asker is told in the end. */
export type Outcome<Result> = Refusal | { readonly result: Result };
