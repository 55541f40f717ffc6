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

/**
 * Tokens that were right, in memory only, for as long as the users are the same: to hash one again
 * takes longer than all else that a request asks of the core. There are never more than users.
 */
const rightTokens = new WeakMap<Users, Map<string, User>>();

/** The user whose token this is; undefined for a wrong one and for a text that is no token. */
export function userOfToken(users: Users, token: string): User | undefined {
  const known = rightTokens.get(users)?.get(token);
  if (known !== undefined) return known;
  if (!isToken(token)) return undefined;
  const hash = utf8ToBytes(hashToken(token));
  let found: User | undefined;
  for (const user of users.values()) {
    // It takes as long wherever two hashes differ; all hashes are of one length.
    if (timingSafeEqual(utf8ToBytes(user.tokenHash), hash)) found = user;
  }
  if (found !== undefined) rightTokens.set(users, remembered(users, token, found));
  return found;
}

function remembered(users: Users, token: string, user: User): Map<string, User> {
  const known = rightTokens.get(users) ?? new Map<string, User>();
  // One token can be spelled in upper and lower case in many ways: only as many as users are kept.
  return known.size < users.size ? known.set(token, user) : new Map([[token, user]]);
}
