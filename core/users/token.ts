/**
 * Tokens: 128 random bits as 32 hexadecimal digits in four groups of eight, compared
 * case-insensitively and kept only as a hash (decisions.md, "Identity and numbers").
 *
 * @module
 */
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { type Refusal, refuse } from "../errors.ts";
import { hexOf } from "../hex.ts";
import type { Random } from "../ports.ts";
import { sha256 } from "../sha256.ts";
import { isExpired, type User, type Users } from "./user.ts";

/**
 * The refusal of a token that belongs to no user; such a token is an error even where a token is
 * optional.
 */
export const BAD_TOKEN: Refusal = refuse("notLoggedIn", "expected the token of a user", "token");

const encoder = new TextEncoder();

const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/i;

/** Says whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Makes a new token, `xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx`. */
export function makeToken(random: Random): string {
  return hexOf(random.bytes(16)).replace(/.{8}(?!$)/g, "$&-");
}

/**
 * Returns the hash of a token, as it is stored. Plain SHA-256 suffices: 128 random bits cannot be
 * guessed.
 */
export function hashToken(token: string): string {
  return hexOf(sha256(encoder.encode(token.toLowerCase())));
}

/**
 * Returns the user of a token if it is valid at `now`, in ms since 1970. Refused (4): a wrong
 * token, for which `user` is undefined, and a token that has expired.
 */
export function validUser(user: User | undefined, now: number): User | Refusal {
  if (user === undefined) return BAD_TOKEN;
  return isExpired(user, now)
    ? refuse("notLoggedIn", `it expired at ${user.expires}`, "token")
    : user;
}

/** Minimum number of different digits of a token given by hand. */
const DIFFERENT_DIGITS = 8;
/**
 * Exclusive maximum number of digits of a token given by hand that differ from the digit before by
 * at most 1.
 */
const DIGITS_IN_A_ROW = 20;

/** The form of a chosen token; about 1 in 20 million random tokens does not have it. */
export const STRONG_TOKEN_FORM =
  `at least ${DIFFERENT_DIGITS} different digits, four different groups, and fewer than ` +
  `${DIGITS_IN_A_ROW} digits equal to the one before, or the next up or down`;

/** Says whether a person might think of this token, so that somebody else might guess it. */
export function isWeak(token: string): boolean {
  const groups = token.toLowerCase().split("-");
  const digits = Array.from(groups.join(""), (digit) => parseInt(digit, 16));
  const inARow = digits.filter((digit, at) => at > 0 && Math.abs(digit - digits[at - 1]!) <= 1);
  return new Set(digits).size < DIFFERENT_DIGITS || new Set(groups).size < groups.length ||
    inARow.length >= DIGITS_IN_A_ROW;
}

/**
 * Returns the user of a token, expired or not; undefined for a wrong token and for a text that is
 * not a token.
 */
export function userOfToken(users: Users, token: string): User | undefined {
  if (!isToken(token)) return undefined;
  const hash = encoder.encode(hashToken(token));
  let found: User | undefined;
  for (const user of users.values()) {
    // The comparison takes as long wherever two hashes differ; all hashes have the same length.
    if (timingSafeEqual(encoder.encode(user.tokenHash), hash)) found = user;
  }
  return found;
}

/**
 * Makes {@linkcode userOfToken} with a cache of right tokens, about one for each user, which is
 * cleared when the users change: hashing the token again takes a sixth of the time of a request
 * (`deno task bench rpc`).
 */
export function rememberingTokens(): typeof userOfToken {
  let of: Users | undefined;
  const right = new Map<string, User>();
  return (users, token) => {
    // One token can be spelled in upper and lower case in many ways.
    if (users !== of || right.size > users.size) right.clear();
    of = users;
    const user = right.get(token) ?? userOfToken(users, token);
    if (user !== undefined) right.set(token, user);
    return user;
  };
}
