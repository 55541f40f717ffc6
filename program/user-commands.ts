/**
 * `faderd user add|list|remove`: the users of a data folder that no service uses, or, with `--url`,
 * the users of a running service.
 *
 * @module
 */
import { type AddedUser, addUser, removeUser } from "../core/users/adduser.ts";
import { groupMask, groupNumbers } from "../core/users/groups.ts";
import { listUsers, type UserListEntry } from "../core/users/getuserlist.ts";
import { isToken, isWeak, STRONG_TOKEN_FORM } from "../core/users/token.ts";
import { MAY, type May } from "../core/users/user.ts";
import type { Given } from "./command-line.ts";
import { configurationOf } from "./configuration-file.ts";
import { carryOut, expectFolder, folderOf, onDataFolder } from "./data-folder.ts";
import { misuse } from "./failure.ts";
import type { OpenConsole } from "./open-console.ts";
import { print, printJson, warn } from "./print.ts";
import { serviceOf } from "./running-service.ts";

/**
 * Adds a user and prints the token, once. With `--url` the given token is the token of the caller.
 */
export async function userAdd(given: Given): Promise<void> {
  const service = serviceOf(given, ["token-file", "ca"]);
  const expires = given.get("expires");
  const user = {
    name: given.get("name")!,
    groups: groupsOf(given.get("groups")),
    admin: given.has("admin"),
    engine: given.has("engine"),
    may: mayOf(given.get("may")!),
    ...(expires === undefined ? {} : { expires }),
  };
  if (service !== undefined) return printAdded(given, await service.rpc("adduser", user));
  const token = given.get("token");
  if (token !== undefined && isToken(token) && isWeak(token)) {
    throw misuse(`--token: expected one that nobody guesses: ${STRONG_TOKEN_FORM}`);
  }
  const added = await onUsers(
    given,
    (open) => carryOut(open, "user add", addUser({ ...user, token })),
  );
  printAdded(given, added);
}

function printAdded(given: Given, { token, notice }: AddedUser): void {
  if (given.has("json")) printJson({ name: given.get("name"), token });
  else print(token);
  if (notice !== undefined) warn(notice);
}

/**
 * Prints each user with its groups, its rights, the time when it was added, its kind, and the facts
 * about its token.
 */
export async function userList(given: Given): Promise<void> {
  const users = await usersOf(given);
  if (given.has("json")) {
    return printJson(users.map((user) => ({ ...user, groups: groupNumbers(user.groups) })));
  }
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

function usersOf(given: Given): Promise<readonly UserListEntry[]> {
  const service = serviceOf(given);
  if (service !== undefined) return service.rpc("getuserlist", {});
  expectFolder(folderOf(given));
  return onUsers(given, (open) => Promise.resolve(listUsers(open.console.state)));
}

/** Removes a user. */
export async function userRemove(given: Given): Promise<void> {
  const service = serviceOf(given);
  const name = given.get("name")!;
  if (service !== undefined) return void await service.rpc("removeuser", { name });
  expectFolder(folderOf(given));
  await onUsers(given, (open) => carryOut(open, "user remove", removeUser(name)));
}

/** The configuration has the limit on what is stored, and says what a logout gains. */
function onUsers<Result>(
  given: Given,
  work: (open: OpenConsole) => Promise<Result>,
): Promise<Result> {
  const data = folderOf(given);
  return onDataFolder(data, configurationOf(given.get("config"), data), work);
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
  throw misuse(`--may: expected view, press, operate or configure, got ${text}`);
}
