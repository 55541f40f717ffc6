import { type EventDefinition, nothing, plainJson, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/** The token of a user was used, which is told again only an hour later. */
export interface TokenUsed {
  readonly type: "tokenused";
  readonly name: string;
  /** When, in ISO 8601 and UTC. */
  readonly at: string;
}

/**
 * It is durable: a search for tokens that nobody needs any more looks months back. A checkpoint
 * has the user as it is then, and so nothing of this event.
 */
export const tokenused: EventDefinition<TokenUsed> = {
  reduce(state, { name, at }): State {
    const user = state.users.get(name);
    if (user === undefined) return state;
    return { ...state, users: new Map(state.users).set(name, { ...user, used: at }) };
  },
  log: { ...plainJson, ifNotStored: "inForce", checkpoint: nothing },
  tell: tellsNothing,
};
