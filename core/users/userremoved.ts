import { type EventDefinition, nothing, plainJson } from "../event.ts";

/** A user was removed. */
export interface UserRemoved {
  readonly type: "userremoved";
  readonly name: string;
}

/** Durable. */
export const userremoved: EventDefinition<UserRemoved> = {
  type: "userremoved",
  reduce(state, { name }) {
    const users = new Map(state.users);
    users.delete(name);
    return { ...state, users };
  },
  log: { ...plainJson, checkpoint: nothing },
};
