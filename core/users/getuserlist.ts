/**
 * Who there is: the RPC `getuserlist` (decisions.md, "Users").
 *
 * @module
 */
import type { State } from "../state.ts";
import type { User } from "./user.ts";

/** A user as the list tells of one: everything but the token. */
export interface UserListEntry extends Pick<User, "name" | "groups" | "admin"> {
  readonly engine: boolean;
  /** ISO 8601, in UTC; `null` where it was not kept. */
  readonly created: string | null;
}

/** The users, in the order in which they were added. */
export function listUsers({ users }: Pick<State, "users">): UserListEntry[] {
  return [...users.values()].map(({ name, groups, admin, engine, created }) => ({
    name,
    groups,
    admin,
    engine: engine ?? false,
    created: created ?? null,
  }));
}
