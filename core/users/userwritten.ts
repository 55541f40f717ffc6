import { type EventDefinition, type Note, plainJson } from "../event.ts";
import { canonicalJson } from "../json.ts";
import type { State } from "../state.ts";
import type { User } from "./user.ts";

/** A user was added, or the user of that name was changed. */
export interface UserWritten {
  readonly type: "userwritten";
  readonly user: User;
}

/** The event is durable. A checkpoint has one of these events for each user. */
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
 * Notes the changes of a user for the audit trail. Of a new token it notes only that there is one.
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
