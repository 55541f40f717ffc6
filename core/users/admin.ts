/**
 * The rights of admins, of whom there always is one (decisions.md, "Users").
 *
 * @module
 */
import type { Command } from "../command.ts";
import { type Refusal, refuse } from "../errors.ts";
import { type Actor, isExpired, type Users } from "./user.ts";

/**
 * Returns undefined when the actor is an admin. It refuses an actor who is not logged in (4) and a
 * user who is not an admin (5).
 */
export function adminRefusal({ user }: Actor): Refusal | undefined {
  if (user === undefined) return refuse("notLoggedIn", "expected an admin's token", "token");
  if (user.admin) return undefined;
  const where = user.vouched ? " here: the configuration of the console has fleet.may" : "";
  return refuse("noRight", `only an admin may do this, which user ${user.name} is not${where}`);
}

/**
 * Returns the same command, for admins only. A console decides it with the rights that the actor
 * has at that moment: of two admins who remove each other, one stays.
 */
export function byAdmin<Result>(command: Command<Result>): Command<Result> {
  return (state, actor, ports) => adminRefusal(actor) ?? command(state, actor, ports);
}

/**
 * Refuses (7) to remove or demote the last admin, or the last admin whose token never expires, or
 * to make that token expire: nobody could make another admin. `now` is in ms since 1970.
 */
export function lastAdminRefusal(users: Users, name: string, now: number): Refusal | undefined {
  const user = users.get(name);
  if (user?.admin !== true) return undefined;
  const others = [...users.values()].filter((other) => other.admin && other.name !== name);
  const expires = user.expires !== undefined;
  const suffices = others.some((other) =>
    other.expires === undefined || (expires && !isExpired(other, now))
  );
  return suffices ? undefined : refuse(
    "readOnly",
    `${name} is the last admin${others.length > 0 ? " whose token does not expire" : ""}: ` +
      "first add another, or make another user one",
    "name",
  );
}
