import { type EventDefinition, nothing, plainJson } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";
import { noteUser } from "./userwritten.ts";

/** A user was removed. */
export interface UserRemoved {
  readonly type: "userremoved";
  readonly name: string;
}

/**
 * The event is durable: a removed user must not return after a restart. A checkpoint has only the
 * remaining users, so it needs none of these events.
 */
export const userremoved: EventDefinition<UserRemoved> = {
  reduce: (state, { name }): State => ({ ...state, users: without(state.users, name) }),
  log: { ...plainJson, ifNotStored: "refused", checkpoint: nothing },
  tell: ({ users }, { name }, note) => noteUser(users.get(name), undefined, note),
};
