/**
 * This file says who may do what only admins may, and sees to it that there always is one
 * (decisions.md, "Users").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { type Refusal, refuse } from "../errors.ts";
import { type Actor, stillThere, type Users } from "./user.ts";

/**
 * Answers undefined when the actor is an admin. It refuses an actor whom nobody knows (4) and a
 * user who is no admin (5).
 */
export function adminRefusal({ user }: Actor): Refusal | undefined {
  if (user === undefined) return refuse("notLoggedIn", "expected an admin's token", "token");
  return user.admin
    ? undefined
    : refuse("noRight", `only an admin may do this, which user ${user.name} is not`);
}

/**
 * The same command, for admins alone. Whether the actor is one is asked of the users as they are
 * when it is decided: of two admins who remove each other one stays.
 */
export function byAdmin<Result>(command: Command<Result>): Command<Result> {
  return (state, actor, ports) =>
    adminRefusal(stillThere(state.users, actor)) ?? command(state, actor, ports);
}

/** Refuses (7) to remove or demote the last admin, since nobody could make another one. */
export function lastAdminRefusal(users: Users, name: string): Refusal | undefined {
  if (users.get(name)?.admin !== true) return undefined;
  const admins = [...users.values()].filter(({ admin }) => admin);
  return admins.length > 1 ? undefined : refuse(
    "readOnly",
    `${name} is the last admin: first add another, or make another user one`,
    "name",
  );
}
