/**
 * Rights beyond groups: who may view, operate and configure (decisions.md, "Users").
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { type Actor, MAY, type May, type User } from "./user.ts";

/** Answers what a user may do: an admin may configure, whatever else was said of that user. */
export function mayOf({ admin, may = "configure" }: Pick<User, "admin" | "may">): May {
  return admin ? "configure" : may;
}

/**
 * Refuses (5) a user who may do less than what is needed, saying what that is. Who is not logged in
 * may do what the configuration leaves open (`auth`), so nobody is refused here without a user.
 */
export function mayRefusal({ user }: Actor, needed: May, what = "this"): Refusal | undefined {
  if (user === undefined) return undefined;
  const may = mayOf(user);
  return MAY.indexOf(may) >= MAY.indexOf(needed) ? undefined : refuse(
    "noRight",
    `user ${user.name} may only ${may}, and ${what} needs the right to ${needed}`,
  );
}
