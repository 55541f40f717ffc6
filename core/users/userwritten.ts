import { type EventDefinition, plainJson } from "../event.ts";
import type { State } from "../state.ts";
import type { User } from "./user.ts";

/** A user was added, or the one of that name changed. */
export interface UserWritten {
  readonly type: "userwritten";
  readonly user: User;
}

/** It is durable. A checkpoint has one for each user, as the user is then. */
export const userwritten: EventDefinition<UserWritten> = {
  reduce: (state, { user }): State => ({
    ...state,
    users: new Map(state.users).set(user.name, user),
  }),
  log: {
    ...plainJson,
    *checkpoint({ users }) {
      for (const user of users.values()) yield { type: "userwritten", user };
    },
  },
};
