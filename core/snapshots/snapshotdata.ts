/**
 * `snapshotdata`: what `getsnapshot` hands out and `setsnapshot` takes back unchanged, here or on
 * another console with the same site key (decisions.md, "RPC").
 *
 * @module
 */
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Branch } from "../tree/patch.ts";
import { sameText } from "../users/token.ts";
import { canonicalJson } from "./canonical.ts";
import type { Snapshot, SnapshotType } from "./snapshot.ts";

/** A snapshot on its way between consoles. */
export interface SnapshotData {
  readonly id: string;
  readonly type: SnapshotType;
  readonly name: string;
  readonly writegroups: number;
  readonly readgroups: number;
  /** Type 2: the mixer it was saved from. */
  readonly mixer?: number;
  readonly content: Branch;
  /** crypto_auth over the canonical JSON of the rest, in hexadecimal. */
  readonly mac: string;
}

/**
 * The site key of a console that was given none: two consoles out of the box exchange snapshots. It
 * is public, so it keeps out accidents, not people.
 */
export const PUBLISHED_SITE_KEY = "faderd published site key";

const KEY_BYTES = 32;
const MAC_BYTES = 32;

/** The key under which a site's snapshots are authenticated; derived, so that it serves only that. */
export function snapshotKeyOfSite(siteKey: string | undefined): Uint8Array {
  const secret = utf8ToBytes(siteKey ?? PUBLISHED_SITE_KEY);
  return hkdf(sha512, secret, undefined, utf8ToBytes("faderd snapshotdata"), KEY_BYTES);
}

/** The data of a snapshot, authenticated. */
export function sealSnapshot(snapshot: Snapshot, key: Uint8Array): SnapshotData {
  const { id, type, name, writegroups, readgroups, mixer, content } = snapshot;
  const source = mixer === undefined ? {} : { mixer };
  const rest = { id, type, name, writegroups, readgroups, ...source, content };
  return { ...rest, mac: macOf(rest, key) };
}

/** Whether data came out of `sealSnapshot` under the same key and was not altered since. */
export function isSealed(data: Readonly<Record<string, unknown>>, key: Uint8Array): boolean {
  const { mac, ...rest } = data;
  return typeof mac === "string" && sameText(mac, macOf(rest, key));
}

/** libsodium's crypto_auth is HMAC-SHA-512, cut to its first 256 bits. */
function macOf(rest: unknown, key: Uint8Array): string {
  return bytesToHex(hmac(sha512, key, utf8ToBytes(canonicalJson(rest))).subarray(0, MAC_BYTES));
}
