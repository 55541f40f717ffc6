/**
 * Who may back up and restore (decisions.md, "Users").
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import type { Actor } from "../users/user.ts";

/** Undefined when the actor is an admin. Refused: nobody known (4), a user who is none (5). */
export function adminRefusal({ user }: Actor): Refusal | undefined {
  if (user === undefined) return refuse("notLoggedIn", "expected an admin's token", "token");
  return user.admin
    ? undefined
    : refuse("noRight", `user ${user.name} is no admin, so may not back up or restore`);
}
