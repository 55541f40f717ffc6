/**
 * The list of users: the RPC `getuserlist` (decisions.md, "Users").
 *
 * @module
 */
import type { State } from "../state.ts";
import { mayOf } from "./may.ts";
import type { May, User } from "./user.ts";

/** All attributes of a user except for the token. */
export interface UserListEntry extends Pick<User, "name" | "groups" | "admin"> {
  readonly engine: boolean;
  readonly may: May;
  /** Time at which the user was added, in ISO 8601 and UTC. */
  readonly created: string | null;
  /** Time at which the token expires, in ISO 8601 and UTC; `null` for never. */
  readonly expires: string | null;
  /**
   * Time of the last use of the token, accurate to an hour, in ISO 8601 and UTC; `null` if unknown.
   */
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
