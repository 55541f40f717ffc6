import { type EventDefinition, nothing, plainJson } from "../event.ts";
import { without } from "../without.ts";

/** A user was removed. */
export interface UserRemoved {
  readonly type: "userremoved";
  readonly name: string;
}

/** Durable. */
export const userremoved: EventDefinition<UserRemoved> = {
  reduce: (state, { name }) => ({ ...state, users: without(state.users, name) }),
  log: { ...plainJson, checkpoint: nothing },
};
