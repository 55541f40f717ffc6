/**
 * Adds and removes users: `faderd user add` and `user remove`, the RPCs `adduser` and
 * `removeuser` (decisions.md, "Users").
 *
 * @module
 */
import type { Command, Done } from "../command.ts";
import { type Refusal, refuse } from "../errors.ts";
import { growthRefusal } from "../growth.ts";
import { shown } from "../shown.ts";
import { lastAdminRefusal } from "./admin.ts";
import { readExpiry } from "./expiry.ts";
import type { State } from "../state.ts";
import { logoutEverywhere } from "./login.ts";
import { gainByLoggingOut } from "./may.ts";
import { hashToken, isToken, makeToken, userOfToken } from "./token.ts";
import type { May, User, Users } from "./user.ts";

/**
 * The syntax of a user name: letters, digits and a few marks, because it is used in `_user`, in
 * lists and on the command line.
 */
export const USER_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** The description of that syntax in messages. */
export const USER_NAME_FORM =
  "1 to 64 letters, digits, '.', '_', '@', '-', the first a letter or digit";

/** The attributes of a user to add. The device makes a token if none is given. */
export interface NewUser {
  readonly name: string;
  /** The groups that the user is in, as a bitmask of groups 1..8. */
  readonly groups: number;
  readonly admin: boolean;
  /** Whether the user is an audio engine; by default not. */
  readonly engine?: boolean | undefined;
  /** The right of the user; by default `operate`. */
  readonly may?: May | undefined;
  /**
   * Time at which the token expires: a date, which stands for the end of that day in UTC, or an
   * instant in ISO 8601. Without it the token never expires.
   */
  readonly expires?: string | undefined;
  readonly token?: string | undefined;
}

/** The token of the new user, and a notice for the admin. */
export interface AddedUser {
  readonly token: string;
  /** Set where this is the first user who gains by logging out: the sentence that says so. */
  readonly notice?: string;
}

/**
 * Adds a user and returns the token. The device does not store the token, so it cannot be read
 * again. Refused (3): a name that is taken or malformed, a token that is malformed or taken, an
 * `expires` that is not in the future; (11) a user beyond the maximum number.
 */
export function addUser(
  { name, groups, admin, engine = false, may = "operate", expires, token }: NewUser,
): Command<AddedUser> {
  return (state, _actor, { clock, random }) => {
    const { users, configuration } = state;
    if (!USER_NAME.test(name)) {
      return refuse("invalidParameter", `expected ${USER_NAME_FORM}, got ${shown(name)}`, "name");
    }
    // Names that differ in their Unicode form alone look alike.
    if ([...users.keys()].some((other) => other.normalize() === name.normalize())) {
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
    const now = clock.now();
    const until = expires === undefined ? undefined : readExpiry(expires, now);
    if (typeof until === "object") return until;
    const user: User = {
      name,
      groups,
      admin,
      engine,
      may,
      created: new Date(now).toISOString(),
      ...(until === undefined ? {} : { expires: until }),
      tokenHash: hashToken(given),
    };
    const after = { ...state, users: new Map(users).set(name, user) };
    return growthRefusal(state, after, configuration) ??
      {
        events: [{ type: "userwritten", user }],
        result: { token: given, ...noticeOf(state, user) },
      };
  };
}

/** Returns the notice where `user` is the first who gains by logging out. */
export function noticeOf(before: State, user: User): { readonly notice?: string } {
  if (gainByLoggingOut(before) !== undefined) return {};
  const notice = gainByLoggingOut({ ...before, users: new Map([[user.name, user]]) });
  return notice === undefined ? {} : { notice };
}

/** Refuses (3) a token of another user, because users never share a token. */
export function takenRefusal(users: Users, token: string): Refusal | undefined {
  return userOfToken(users, token) === undefined
    ? undefined
    : refuse("invalidParameter", "another user has it already", "token");
}

/**
 * Removes a user, who is logged out everywhere and whose token becomes invalid. Refused: an unknown
 * name (6), the last admin (7).
 */
export function removeUser(name: string): Command<Done> {
  return (state, _actor, { clock }) => {
    if (!state.users.has(name)) return noSuchUser(name);
    return lastAdminRefusal(state.users, name, clock.now()) ??
      { events: [{ type: "userremoved", name }, ...logoutEverywhere(state, name)], result: {} };
  };
}

/** Refuses (6) an unknown name. */
export function noSuchUser(name: string): Refusal {
  return refuse("noSuchObject", `there is no user ${shown(name)}`, "name");
}
