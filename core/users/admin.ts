/**
 * Who may do what admins alone may, and that there always is one (decisions.md, "Users").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { type Refusal, refuse } from "../errors.ts";
import { type Actor, stillThere, type Users } from "./user.ts";

/** Undefined when the actor is an admin. Refused: nobody known (4), a user who is none (5). */
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

/** The refusal (7) of removing or demoting the last admin: nobody could make another. */
export function lastAdminRefusal(users: Users, name: string): Refusal | undefined {
  if (users.get(name)?.admin !== true) return undefined;
  const admins = [...users.values()].filter(({ admin }) => admin);
  return admins.length > 1 ? undefined : refuse(
    "readOnly",
    `${name} is the last admin: first add another, or make another user one`,
    "name",
  );
}
