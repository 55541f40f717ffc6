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
 * A name has letters, digits and a few marks, as it stands in `_user`, in lists and on a command
 * line.
 */
export const USER_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;

/** The same rule, as messages say it to people. */
export const USER_NAME_FORM =
  "1 to 64 letters, digits, '.', '_', '@', '-', the first a letter or digit";

/** This says whom to add; the device makes a token where none is given. */
export interface NewUser {
  readonly name: string;
  /** The groups that the user is in, as a bitmask of groups 1..8. */
  readonly groups: number;
  readonly admin: boolean;
  /** Whether the user is an audio engine; without it the user is none. */
  readonly engine?: boolean | undefined;
  /** What the user may do; `operate` where it is not given. */
  readonly may?: May | undefined;
  /**
   * When the token expires: a date, which is the end of that day in UTC, or an instant in ISO 8601;
   * without it never.
   */
  readonly expires?: string | undefined;
  readonly token?: string | undefined;
}

/** The token that was made, and what the admin should know beside it. */
export interface AddedUser {
  readonly token: string;
  /** Set where this is the first user who gains by logging out: the sentence that says so. */
  readonly notice?: string;
}

/**
 * Adds a user and answers the token. The device does not keep it, so nobody can ask for it again.
 * Refused (3): a name that is taken or malformed, a token that is malformed or somebody's already,
 * an `expires` that is not a time to come; (11) one user more than there may be.
 */
export function addUser(
  { name, groups, admin, engine = false, may = "operate", expires, token }: NewUser,
): Command<AddedUser> {
  return (state, _actor, { clock, random }) => {
    const { users, configuration } = state;
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

/** Refuses (3) a token that somebody has already, since two users never share one. */
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
  return (state, _actor, { clock }) => {
    if (!state.users.has(name)) return noSuchUser(name);
    return lastAdminRefusal(state.users, name, clock.now()) ??
      { events: [{ type: "userremoved", name }, ...logoutEverywhere(state, name)], result: {} };
  };
}

/** Refuses (6) a name that nobody has. */
export function noSuchUser(name: string): Refusal {
  return refuse("noSuchObject", `there is no user ${shown(name)}`, "name");
}
