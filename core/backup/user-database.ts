/**
 * `users.bin`: the user database, encrypted for consoles with the same site key (decisions.md,
 * "Backup"). It is libsodium's crypto_secretbox (XSalsa20 and Poly1305): 24 bytes of nonce, then
 * the box.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import * as v from "valibot";
import { canonicalJson, parseUtf8 } from "../json.ts";
import { BACKUP_JSON_VALUES } from "../limits.ts";
import { whole } from "../configuration/schema.ts";
import { hmacUnder, keyOfSite } from "../site-key.ts";
import { USER_NAME } from "../users/adduser.ts";
import { ALL_GROUPS } from "../users/groups.ts";
import { MAY, type User } from "../users/user.ts";

/** The version of the list of users; no other version is read. */
const USERS_VERSION = 1;

const NONCE_BYTES = 24;

/** Earlier versions stored a time of that day for 9999-12-31. */
const DAY_AFTER_9999 = /^\+010000-01-01T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const timestamp = v.pipe(v.string(), v.isoTimestamp());

const usersSchema = v.array(v.strictObject({
  name: v.pipe(v.string(), v.regex(USER_NAME)),
  groups: whole(0, ALL_GROUPS),
  admin: v.boolean(),
  engine: v.boolean(),
  may: v.picklist(MAY),
  created: timestamp,
  expires: v.exactOptional(v.union([timestamp, v.pipe(v.string(), v.regex(DAY_AFTER_9999))])),
  tokenHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
}));

/** Makes the key under which a site's user databases are encrypted. */
export function userKeyOfSite(siteKey: string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  return keyOfSite(siteKey, "faderd user database");
}

/**
 * Encrypts users. The nonce is a keyed hash of the plaintext, so that the same users give the same
 * bytes, and different users never have the same nonce.
 */
export async function sealUsers(
  users: Iterable<User>,
  siteKey: string | undefined,
): Promise<Uint8Array> {
  const text = textOf(users);
  const hmac = await hmacUnder(await keyOfSite(siteKey, "faderd user database nonce"));
  const nonce = (await hmac(text)).subarray(0, NONCE_BYTES);
  const key = await userKeyOfSite(siteKey);
  const { sodium } = await import("../sodium.ts");
  return concat([nonce, sodium.crypto_secretbox_easy(text, nonce, key)]);
}

/**
 * Decrypts and returns the users; undefined if they were altered or sealed under another site key;
 * a sentence if the sealed bytes are not a list of users of this version.
 */
export async function openUsers(
  sealed: Uint8Array,
  siteKey: string | undefined,
): Promise<readonly User[] | string | undefined> {
  const key = await userKeyOfSite(siteKey);
  const { sodium } = await import("../sodium.ts");
  let text: Uint8Array;
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    text = sodium.crypto_secretbox_open_easy(sealed.subarray(NONCE_BYTES), nonce, key);
  } catch {
    return undefined;
  }
  const users = parseUtf8(text, BACKUP_JSON_VALUES);
  const unique = (texts: readonly string[]) => new Set(texts).size === texts.length;
  const isRead = v.is(usersSchema, users) && unique(users.map(({ name }) => name)) &&
    unique(users.map(({ tokenHash }) => tokenHash));
  if (isRead) return users;
  return `expected a list of users of version ${USERS_VERSION}, got one of another version: ` +
    "restore it with the version of faderd that wrote it";
}

function textOf(users: Iterable<User>): Uint8Array<ArrayBuffer> {
  // The last use of tokens is left out: it would make every backup differ.
  const written = Array.from(users, ({ used: _, ...user }) => user);
  return new TextEncoder().encode(canonicalJson(written));
}
