/**
 * The token of the first user, in the file of the data folder that the program uses, too.
 *
 * @module
 */
import { isRefusal, reasonOf } from "../../core/errors.ts";
import { addUser } from "../../core/users/adduser.ts";
import { ALL_GROUPS } from "../../core/users/groups.ts";
import { makeToken, userOfToken } from "../../core/users/token.ts";
import { DEVICE } from "../../core/users/user.ts";
import { machine } from "../clock.ts";
import type { FolderTexts } from "../folder-texts.ts";
import type { OpenConsole } from "../open-console.ts";

const FILE = "admin-token";

/**
 * Returns the token of the user `admin`, who is made if there are no users; "" if it is not in the
 * data folder, if no user has the token there, which is that of an earlier console, or if the log
 * is damaged and no user was read. Rejects if the token could not be stored or the user not be
 * made, because nobody could log in then.
 */
export async function adminToken(
  { console, log }: OpenConsole,
  texts?: FolderTexts,
): Promise<string> {
  const { users } = console.state;
  if (users.size > 0) {
    const kept = await texts?.read(FILE) ?? "";
    return userOfToken(users, kept) === undefined ? "" : kept;
  }
  // The users may be found again once the medium reads well, or the log is repaired.
  if (log.condition.state === "damaged") return "";
  const token = makeToken(machine.random);
  // Written first: a user whose token nobody has could never be replaced.
  try {
    await texts?.replace(FILE, token);
  } catch (fault) {
    const file = `${texts!.folder}/${FILE}`;
    throw new Error(
      `the token of the user admin could not be stored in ${file}: ${reasonOf(fault)}`,
      { cause: fault },
    );
  }
  const admin = { name: "admin", groups: ALL_GROUPS, admin: true, token };
  const made = await console.dispatch(addUser(admin), DEVICE);
  if (isRefusal(made)) throw new Error(made.message);
  return token;
}
