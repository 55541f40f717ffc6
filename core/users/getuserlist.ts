/**
 * Who there is: the RPC `getuserlist` (decisions.md, "Users").
 *
 * @module
 */
import type { State } from "../state.ts";
import type { User } from "./user.ts";

/** An entry tells everything about a user but the token. */
export interface UserListEntry extends Pick<User, "name" | "groups" | "admin"> {
  readonly engine: boolean;
  /** When the user was added, in ISO 8601 and UTC; `null` where that was not kept. */
  readonly created: string | null;
}

/** Lists the users in the order in which they were added. */
export function listUsers({ users }: Pick<State, "users">): UserListEntry[] {
  return [...users.values()].map(({ name, groups, admin, engine, created }) => ({
    name,
    groups,
    admin,
    engine: engine ?? false,
    created: created ?? null,
  }));
}
