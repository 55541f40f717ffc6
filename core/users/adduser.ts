/**
 * Adding and removing users: `faderd user add` and `user remove`, the RPCs `adduser` and `removeuser`
 * (decisions.md, "Users").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { type Refusal, refuse } from "../errors.ts";
import { shown } from "../shown.ts";
import { lastAdminRefusal } from "./admin.ts";
import { logoutEverywhere } from "./login.ts";
import { hashToken, isToken, makeToken, userOfToken } from "./token.ts";
import type { Users } from "./user.ts";

/** Letters, digits and a few marks: a name stands in `_user`, in lists and on a command line. */
export const USER_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** The same for people. */
export const USER_NAME_FORM =
  "1 to 64 letters, digits, '.', '_', '@', '-', the first a letter or digit";

/** Who to add; without a token one is made. */
export interface NewUser {
  readonly name: string;
  /** Bitmask of groups 1..8. */
  readonly groups: number;
  readonly admin: boolean;
  /** By default false. */
  readonly engine?: boolean | undefined;
  readonly token?: string | undefined;
}

/**
 * Adds a user and answers the token, which is not kept and cannot be asked for again. Refused: a
 * name that is taken or malformed, a token that is malformed or somebody's already.
 */
export function addUser(
  { name, groups, admin, engine = false, token }: NewUser,
): Command<{ token: string }> {
  return ({ users }, _actor, { clock, random }) => {
    if (!USER_NAME.test(name)) {
      return refuse("invalidParameter", `expected ${USER_NAME_FORM}, got ${shown(name)}`, "name");
    }
    if (users.has(name)) {
      return refuse("invalidParameter", `there is a user ${name} already`, "name");
    }
    if (token !== undefined && !isToken(token)) {
      const form =
        "32 hexadecimal digits in four groups of eight, xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx";
      return refuse("invalidParameter", `expected ${form}`, "token");
    }
    const given = token ?? makeToken(random);
    const taken = takenRefusal(users, given);
    if (taken !== undefined) return taken;
    const created = new Date(clock.now()).toISOString();
    const user = { name, groups, admin, engine, created, tokenHash: hashToken(given) };
    return { events: [{ type: "userwritten", user }], result: { token: given } };
  };
}

/** The refusal (3) of a token that is somebody's already: two users never share one. */
export function takenRefusal(users: Users, token: string): Refusal | undefined {
  return userOfToken(users, token) === undefined
    ? undefined
    : refuse("invalidParameter", "another user has it already", "token");
}

/**
 * Removes a user, who is logged out everywhere and whose token is worth nothing from then on.
 * Refused: a name that nobody has (6), the last admin (7).
 */
export function removeUser(name: string): Command<Done> {
  return (state) => {
    if (!state.users.has(name)) return noSuchUser(name);
    return lastAdminRefusal(state.users, name) ??
      { events: [{ type: "userremoved", name }, ...logoutEverywhere(state, name)], result: {} };
  };
}

/** The refusal (6) of a name that nobody has. */
export function noSuchUser(name: string): Refusal {
  return refuse("noSuchObject", `there is no user ${shown(name)}`, "name");
}
