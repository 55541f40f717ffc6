/**
 * The token of the first user, in the file of the data folder in which the program leaves it, too.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { addUser } from "../../core/users/adduser.ts";
import { ALL_GROUPS } from "../../core/users/groups.ts";
import { makeToken } from "../../core/users/token.ts";
import { DEVICE } from "../../core/users/user.ts";
import { machine } from "../clock.ts";
import { keepPrivate, readPrivate } from "./private-text.ts";

const FILE = "admin-token";

/**
 * Returns the token of the user `admin`, who is made where there are no users; "" where nobody left
 * it in the data folder. Rejects where the user could not be made.
 */
export async function adminToken(console: Console, data: string | undefined): Promise<string> {
  if (console.state.users.size > 0) {
    return data === undefined ? "" : await readPrivate(data, FILE) ?? "";
  }
  const token = makeToken(machine.random);
  // Kept first: a user of whom nobody has the token would be there for good.
  if (data !== undefined) await keepPrivate(data, FILE, token);
  const admin = { name: "admin", groups: ALL_GROUPS, admin: true, token };
  const made = await console.dispatch(addUser(admin), DEVICE);
  if (isRefusal(made)) throw new Error(made.message);
  return token;
}
