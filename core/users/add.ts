/**
 * Adding and removing users: `faderd user add`, `faderd user remove`.
 *
 * @module
 */
import type { Command } from "../console.ts";
import { refuse } from "../errors.ts";
import { logoutEverywhere } from "./login.ts";
import { hashToken, isToken, makeToken, userOfToken } from "./token.ts";

/** Letters, digits and a few marks: a name stands in `_user`, in lists and on a command line. */
export const USER_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** Who to add; without a token one is made. */
export interface NewUser {
  readonly name: string;
  /** Bitmask of groups 1..8. */
  readonly groups: number;
  readonly admin: boolean;
  readonly token?: string | undefined;
}

/**
 * Adds a user and answers the token, which is not kept and cannot be asked for again. Refused: a
 * name that is taken or malformed, a token that is malformed or somebody's already.
 */
export function addUser({ name, groups, admin, token }: NewUser): Command<{ token: string }> {
  return ({ users }, _actor, { random }) => {
    if (!USER_NAME.test(name)) {
      return refuse("invalidParameter", "expected letters, digits, '.', '_', '@', '-'", "name");
    }
    if (users.has(name)) {
      return refuse("invalidParameter", `there is a user ${name} already`, "name");
    }
    if (token !== undefined && !isToken(token)) {
      const form =
        "32 hexadecimal digits in four groups of eight, xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx";
      return refuse("invalidParameter", `expected ${form}`, "token");
    }
    if (token !== undefined && userOfToken(users, token) !== undefined) {
      return refuse("invalidParameter", "another user has it already", "token");
    }
    const given = token ?? makeToken(random);
    const user = { name, groups, admin, tokenHash: hashToken(given) };
    return { events: [{ type: "userwritten", user }], result: { token: given } };
  };
}

/**
 * Removes a user, who is logged out everywhere and whose token is worth nothing from then on.
 * Refused: a name that nobody has.
 */
export function removeUser(name: string): Command<Record<string, never>> {
  return (state) =>
    state.users.has(name)
      ? { events: [{ type: "userremoved", name }, ...logoutEverywhere(state, name)], result: {} }
      : refuse("noSuchObject", `there is no user ${name}`, "name");
}
