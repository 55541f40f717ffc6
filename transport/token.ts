/**
 * Tokens as requests carry them.
 *
 * @module
 */
import { type Refusal, refuse } from "../core/errors.ts";
import type { State } from "../core/state.ts";
import { userOfToken } from "../core/users/token.ts";
import type { User } from "../core/users/user.ts";

/** The refusal of a token that is nobody's; it is an error also where a token is optional. */
export const BAD_TOKEN: Refusal = refuse("notLoggedIn", "expected the token of a user", "token");

/** The refusal of a request without a token where one is required. */
export const NO_TOKEN: Refusal = refuse(
  "notLoggedIn",
  "expected the token of a user, it is missing",
  "token",
);

/** The user of a token; undefined for a wrong one and for what is no text. */
export function userOf({ users }: State, token: unknown): User | undefined {
  return typeof token === "string" ? userOfToken(users, token) : undefined;
}
