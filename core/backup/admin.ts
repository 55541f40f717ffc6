/**
 * That a restore leaves an admin (decisions.md, "Users").
 *
 * @module
 */
import type { Refusal } from "../errors.ts";
import type { User } from "../users/user.ts";
import { badArchive } from "./manifest.ts";
import { tagTable } from "./tags.ts";

/**
 * The refusal (3) of users without an admin among them: restored over the network, nobody could
 * restore anything again. Undefined where there is one, or no users are to be restored.
 */
export function lockOutRefusal(users: readonly User[] | undefined): Refusal | undefined {
  return users === undefined || users.some(({ admin }) => admin) ? undefined : badArchive(
    `${tagTable.USERS.file} has no admin: nobody could back up, restore or change users any more`,
  );
}
