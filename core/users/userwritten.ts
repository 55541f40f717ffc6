import { type EventDefinition, type Note, plainJson } from "../event.ts";
import { canonicalJson } from "../json.ts";
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
    ifNotStored: "refused",
    *checkpoint({ users }) {
      for (const user of users.values()) yield { type: "userwritten", user };
    },
  },
  tell: ({ users }, { user }, note) => noteUser(users.get(user.name), user, note),
};

/**
 * Notes for the audit trail what became of a user, if anything did. Of the token it says only that
 * there is a new one.
 */
export function noteUser(before: User | undefined, after: User | undefined, note: Note): void {
  const newToken = before !== undefined && after !== undefined &&
    before.tokenHash !== after.tokenHash;
  const is = after && { ...toldOf(after), ...(newToken ? { newtoken: true } : {}) };
  const was = before && toldOf(before);
  const { name } = (after ?? before)!;
  if (canonicalJson(was ?? {}) !== canonicalJson(is ?? {})) note(`/users/${name}`, was, is);
}

function toldOf({ name: _, tokenHash: __, used: ___, ...rest }: User): object {
  return rest;
}
