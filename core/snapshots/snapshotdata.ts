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
import * as v from "valibot";
import { READGROUPS, SNAPSHOT_NAME_LENGTH, WRITEGROUPS } from "../limits.ts";
import { type Branch, isBranch } from "../tree/patch.ts";
import { sameText } from "../users/token.ts";
import { canonicalJson } from "./canonical.ts";
import { DEFAULT_ID, type Snapshot, type SnapshotType } from "./snapshot.ts";

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

const mask = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));
const mixer = v.pipe(v.number(), v.integer(), v.minValue(0));
const attributes = {
  name: v.pipe(v.string(), v.maxLength(2 * SNAPSHOT_NAME_LENGTH.max)),
  writegroups: mask(WRITEGROUPS.max),
  readgroups: mask(READGROUPS.max),
  content: v.custom<Branch>(isBranch),
  mac: v.string(),
};
const uuid = v.pipe(v.string(), v.uuid(), v.check((text) => text === text.toLowerCase()));

/** What has the form of `snapshotdata`; `openSnapshotData` says whether it is genuine. */
const snapshotDataSchema = v.union([
  v.strictObject({ id: v.literal(DEFAULT_ID), type: v.literal(2), mixer, ...attributes }),
  v.strictObject({ id: uuid, type: v.literal(2), mixer, ...attributes }),
  v.strictObject({ id: uuid, type: v.picklist([1, 3]), ...attributes }),
]);

/**
 * The site key of a console that was given none: two consoles out of the box exchange snapshots. It
 * is public, so it keeps out accidents, not people.
 */
export const PUBLISHED_SITE_KEY = "faderd published site key";

const KEY_BYTES = 32;
/** What is kept of an HMAC-SHA-512: libsodium's crypto_auth is its first 256 bits. */
export const macBytes = 32;

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

/** Whether a value has the form of `snapshotdata`; whether it is genuine, its `mac` says. */
export function isSnapshotData(data: unknown): data is SnapshotData {
  return v.is(snapshotDataSchema, data);
}

/**
 * The snapshot data, if it came out of `sealSnapshot` under the same key and was not altered since.
 */
export function openSnapshotData(data: unknown, key: Uint8Array): SnapshotData | undefined {
  if (!isSnapshotData(data)) return undefined;
  const { mac, ...rest } = data;
  return sameText(mac, macOf(rest, key)) ? data : undefined;
}

function macOf(rest: unknown, key: Uint8Array): string {
  return bytesToHex(hmac(sha512, key, utf8ToBytes(canonicalJson(rest))).subarray(0, macBytes));
}
