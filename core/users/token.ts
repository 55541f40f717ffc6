/**
 * Tokens: 128 random bits as 32 hexadecimal digits in four groups of eight, compared
 * case-insensitively and kept only as a hash (decisions.md, "Identity and numbers").
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import type { Random } from "../ports.ts";
import type { User, Users } from "./user.ts";

const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/i;

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** A new token, `xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx`. */
export function makeToken(random: Random): string {
  return bytesToHex(random.bytes(16)).replace(/.{8}(?!$)/g, "$&-");
}

/** What the device keeps of a token. Plain SHA-256 will do: 128 random bits cannot be guessed. */
export function hashToken(token: string): string {
  return bytesToHex(sha256(utf8ToBytes(token.toLowerCase())));
}

/** The user whose token this is; undefined for a wrong one and for a text that is no token. */
export function userOfToken(users: Users, token: string): User | undefined {
  if (!isToken(token)) return undefined;
  const hash = utf8ToBytes(hashToken(token));
  let found: User | undefined;
  for (const user of users.values()) {
    // It takes as long wherever two hashes differ; all hashes are of one length.
    if (timingSafeEqual(utf8ToBytes(user.tokenHash), hash)) found = user;
  }
  return found;
}

/**
 * {@linkcode userOfToken} with a memory of the tokens that were right, of about as many as there
 * are users and for as long as these are the same: to hash a token again at each request takes a
 * sixth of its time (`deno task bench rpc`).
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
