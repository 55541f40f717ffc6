/**
 * Who may back up and restore (decisions.md, "Users").
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import type { Actor, User } from "../users/user.ts";
import { badArchive } from "./manifest.ts";
import { tagTable } from "./tags.ts";

/** Undefined when the actor is an admin. Refused: nobody known (4), a user who is none (5). */
export function adminRefusal({ user }: Actor): Refusal | undefined {
  if (user === undefined) return refuse("notLoggedIn", "expected an admin's token", "token");
  return user.admin
    ? undefined
    : refuse("noRight", `user ${user.name} is no admin, so may not back up or restore`);
}

/**
 * The refusal (3) of users without an admin among them: restored over the network, nobody could
 * restore anything again. Undefined where there is one, or no users are to be restored.
 */
export function lockOutRefusal(users: readonly User[] | undefined): Refusal | undefined {
  return users === undefined || users.some(({ admin }) => admin) ? undefined : badArchive(
    `${tagTable.USERS.file} has no admin: nobody could back up or restore any more`,
  );
}
