/**
 * `faderd user add|list|remove`: the users of a data folder that no service is running on.
 *
 * @module
 */
import type { Command } from "../core/command.ts";
import type { Console } from "../core/console.ts";
import { isRefusal } from "../core/errors.ts";
import { addUser, removeUser } from "../core/users/adduser.ts";
import { groupNumbers } from "../core/users/groups.ts";
import { listUsers } from "../core/users/getuserlist.ts";
import { DEVICE } from "../core/users/user.ts";
import { loadConfiguration } from "./configuration-file.ts";
import { Failure } from "./failure.ts";
import { expectFolder } from "./folder.ts";
import { openConsole } from "./open-console.ts";
import { print } from "./print.ts";

/** The user to add. */
export interface UserToAdd {
  readonly groups: number;
  readonly admin: boolean;
  readonly engine: boolean;
  readonly token?: string | undefined;
}

/** Adds a user and prints the token, once. */
export async function userAdd(data: string, name: string, user: UserToAdd): Promise<void> {
  const { token } = await onData(data, (console) => carryOut(console, addUser({ name, ...user })));
  print(token);
}

/** Prints each user with its groups, when it was added, and what it is. */
export async function userList(data: string): Promise<void> {
  expectFolder(data);
  const users = await onData(data, ({ state }) => Promise.resolve(listUsers(state)));
  for (const { name, groups, admin, engine, created } of users) {
    const fields = [
      name,
      `groups ${groupNumbers(groups).join(",") || "none"}`,
      `created ${created ?? "unknown"}`,
      ...(admin ? ["admin"] : []),
      ...(engine ? ["engine"] : []),
    ];
    print(fields.join("\t"));
  }
}

/** Removes a user. */
export async function userRemove(data: string, name: string): Promise<void> {
  expectFolder(data);
  await onData(data, (console) => carryOut(console, removeUser(name)));
}

async function onData<Result>(
  data: string,
  work: (console: Console) => Promise<Result>,
): Promise<Result> {
  const { console, log } = await openConsole(loadConfiguration(undefined), data);
  try {
    return await work(console);
  } finally {
    await log.close();
  }
}

async function carryOut<Result>(
  console: Console,
  command: Command<Result>,
): Promise<Result> {
  const outcome = await console.dispatch(command, DEVICE);
  if (isRefusal(outcome)) throw new Failure(outcome.message);
  return outcome.result;
}
