/**
 * `faderd user add|list|remove`: the users of a data folder that no service is running on.
 *
 * @module
 */
import { addUser, removeUser } from "../core/users/adduser.ts";
import { groupMask, groupNumbers } from "../core/users/groups.ts";
import { listUsers } from "../core/users/getuserlist.ts";
import { isToken, isWeak, STRONG_TOKEN_FORM } from "../core/users/token.ts";
import { MAY, type May } from "../core/users/user.ts";
import type { Given } from "./command-line.ts";
import { loadConfiguration } from "./configuration-file.ts";
import { carryOut, expectFolder, onDataFolder } from "./data-folder.ts";
import { misuse } from "./failure.ts";
import type { OpenConsole } from "./open-console.ts";
import { print } from "./print.ts";

/** Adds a user and prints the token, once. */
export async function userAdd(given: Given): Promise<void> {
  const token = given.get("token");
  if (token !== undefined && isToken(token) && isWeak(token)) {
    throw misuse(`--token: expected one that nobody guesses: ${STRONG_TOKEN_FORM}`);
  }
  const user = {
    name: given.get("name")!,
    groups: groupsOf(given.get("groups")),
    admin: given.has("admin"),
    engine: given.has("engine"),
    may: mayOf(given.get("may")!),
    expires: given.get("expires"),
    token,
  };
  const added = await onUsers(given, (open) => carryOut(open, "user add", addUser(user)));
  print(added.token);
}

/** Prints each user with its groups and rights, when it was added, what it is, and of its token. */
export async function userList(given: Given): Promise<void> {
  expectFolder(given.get("data")!);
  const users = await onUsers(given, (open) => Promise.resolve(listUsers(open.console.state)));
  for (const { name, groups, admin, engine, may, created, expires, lastused } of users) {
    const fields = [
      name,
      `groups ${groupNumbers(groups).join(",") || "none"}`,
      `created ${created ?? "unknown"}`,
      `may ${may}`,
      `last used ${lastused ?? "never"}`,
      ...(expires === null ? [] : [`expires ${expires}`]),
      ...(admin ? ["admin"] : []),
      ...(engine ? ["engine"] : []),
    ];
    print(fields.join("\t"));
  }
}

/** Removes a user. */
export async function userRemove(given: Given): Promise<void> {
  expectFolder(given.get("data")!);
  await onUsers(given, (open) => carryOut(open, "user remove", removeUser(given.get("name")!)));
}

/** Users do not depend on the configuration, so that of the demo console will do. */
function onUsers<Result>(
  given: Given,
  work: (open: OpenConsole) => Promise<Result>,
): Promise<Result> {
  return onDataFolder(given.get("data")!, loadConfiguration(undefined), work);
}

function groupsOf(text: string | undefined): number {
  const mask = text === undefined ? undefined : groupMask(text);
  if (mask !== undefined) return mask;
  const got = text === undefined ? "it is missing" : `got ${text}`;
  throw misuse(`--groups: expected groups 1..8, like 1,4, ${got}`);
}

function mayOf(text: string): May {
  const may = MAY.find((one) => one === text);
  if (may !== undefined) return may;
  throw misuse(`--may: expected view, operate or configure, got ${text}`);
}
