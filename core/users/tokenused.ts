import { type EventDefinition, nothing, plainJson, tellsNothing } from "../event.ts";
import type { State } from "../state.ts";

/** The token of a user was used. This event is made at most once an hour for each user. */
export interface TokenUsed {
  readonly type: "tokenused";
  readonly name: string;
  /** The time of the use, in ISO 8601 and UTC. */
  readonly at: string;
}

/**
 * The event is durable, because a search for unused tokens looks months back. A checkpoint stores
 * the user with this time, so it needs none of these events.
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
