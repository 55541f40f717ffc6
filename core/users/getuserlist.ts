/**
 * The list of users: the RPC `getuserlist` (decisions.md, "Users").
 *
 * @module
 */
import type { State } from "../state.ts";
import { mayOf } from "./may.ts";
import type { May, User } from "./user.ts";

/** An entry tells everything about a user but the token. */
export interface UserListEntry extends Pick<User, "name" | "groups" | "admin"> {
  readonly engine: boolean;
  readonly may: May;
  /** When the user was added, in ISO 8601 and UTC. */
  readonly created: string | null;
  /** When the token expires, in ISO 8601 and UTC; `null` for never. */
  readonly expires: string | null;
  /** When the token was last used, to the hour, in ISO 8601 and UTC; `null` where nobody knows. */
  readonly lastused: string | null;
}

/** Lists the users in the order in which they were added. */
export function listUsers({ users }: Pick<State, "users">): UserListEntry[] {
  return [...users.values()].map((user) => ({
    name: user.name,
    groups: user.groups,
    admin: user.admin,
    engine: user.engine,
    may: mayOf(user),
    created: user.created,
    expires: user.expires ?? null,
    lastused: user.used ?? null,
  }));
}
