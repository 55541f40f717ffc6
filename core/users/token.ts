/**
 * Tokens: 128 random bits as 32 hexadecimal digits in four groups of eight, compared
 * case-insensitively and kept only as a hash (decisions.md, "Identity and numbers").
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
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
  const hash = hashToken(token);
  let found: User | undefined;
  for (const user of users.values()) if (sameText(user.tokenHash, hash)) found = user;
  return found;
}

/** Compares two texts of equal length in a time that does not tell where they differ. */
export function sameText(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
