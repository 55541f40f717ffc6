/**
 * `users.bin`: the user database, encrypted for consoles with the same site key (decisions.md,
 * "Backup"). It is libsodium's crypto_secretbox (XSalsa20 and Poly1305): 24 bytes of nonce, then the
 * box.
 *
 * @module
 */
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import * as v from "valibot";
import { canonicalJson } from "../snapshots/canonical.ts";
import { PUBLISHED_SITE_KEY } from "../snapshots/snapshotdata.ts";
import { USER_NAME } from "../users/adduser.ts";
import { ALL_GROUPS } from "../users/groups.ts";
import type { User } from "../users/user.ts";
import { parseJson } from "./json-file.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;

const usersSchema = v.array(v.strictObject({
  name: v.pipe(v.string(), v.regex(USER_NAME)),
  groups: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(ALL_GROUPS)),
  admin: v.boolean(),
  engine: v.exactOptional(v.boolean()),
  created: v.exactOptional(v.pipe(v.string(), v.isoTimestamp())),
  tokenHash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
}));

/** The key under which a site's user databases are encrypted; derived, so that it serves only that. */
export function userKeyOfSite(siteKey: string | undefined): Uint8Array {
  return derived(siteKey, "faderd user database");
}

/** How many bytes users take encrypted, and the JSON that is in them. */
export function sealedSize(users: Iterable<User>): { bytes: number; json: Uint8Array } {
  const json = utf8ToBytes(canonicalJson([...users]));
  return { bytes: NONCE_BYTES + TAG_BYTES + json.length, json };
}

/**
 * Encrypts users. The nonce is a keyed hash of what is encrypted, so that the same users give the
 * same bytes, and other users never the same nonce.
 */
export function sealUsers(users: Iterable<User>, siteKey: string | undefined): Uint8Array {
  const text = utf8ToBytes(canonicalJson([...users]));
  const nonceKey = derived(siteKey, "faderd user database nonce");
  const nonce = hmac(sha512, nonceKey, text).subarray(0, NONCE_BYTES);
  const box = xsalsa20poly1305(userKeyOfSite(siteKey), nonce).encrypt(text);
  const sealed = new Uint8Array(NONCE_BYTES + box.length);
  sealed.set(nonce);
  sealed.set(box, NONCE_BYTES);
  return sealed;
}

/** The users, if they were sealed under the same site key and not altered since, and are users. */
export function openUsers(
  sealed: Uint8Array,
  siteKey: string | undefined,
): readonly User[] | undefined {
  let text: Uint8Array;
  try {
    const nonce = sealed.slice(0, NONCE_BYTES);
    text = xsalsa20poly1305(userKeyOfSite(siteKey), nonce).decrypt(sealed.slice(NONCE_BYTES));
  } catch {
    return undefined;
  }
  const users = parseJson(text)?.value;
  if (!v.is(usersSchema, users)) return undefined;
  const unique = (texts: readonly string[]) => new Set(texts).size === texts.length;
  return unique(users.map(({ name }) => name)) && unique(users.map(({ tokenHash }) => tokenHash))
    ? users
    : undefined;
}

function derived(siteKey: string | undefined, use: string): Uint8Array {
  const secret = utf8ToBytes(siteKey ?? PUBLISHED_SITE_KEY);
  return hkdf(sha512, secret, undefined, utf8ToBytes(use), KEY_BYTES);
}
