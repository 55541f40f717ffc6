/**
 * `snapshotdata`: what `getsnapshot` hands out and `setsnapshot` takes back unchanged, here or on
 * another console with the same site key (decisions.md, "RPC").
 *
 * @module
 */
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { encodeHex } from "@std/encoding/hex";
import * as v from "valibot";
import { type Refusal, refuse } from "../errors.ts";
import { jsonSteps } from "../json-pieces.ts";
import { READGROUPS, SNAPSHOT_NAME_LENGTH, WRITEGROUPS } from "../limits.ts";
import type { Pacer } from "../ports.ts";
import { hmacUnder, keyOfSite } from "../site-key.ts";
import { type Branch, isBranch } from "../tree/tree.ts";
import { canonicalForm } from "./canonical.ts";
import { contentOf, DEFAULT_ID, type Snapshot, type SnapshotType } from "./snapshot.ts";

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
  mac: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
};
const uuid = v.pipe(v.string(), v.uuid(), v.check((text) => text === text.toLowerCase()));

/** What has the form of `snapshotdata`; its `mac` says whether it is genuine. */
const snapshotDataSchema = v.union([
  v.strictObject({ id: v.literal(DEFAULT_ID), type: v.literal(2), mixer, ...attributes }),
  v.strictObject({ id: uuid, type: v.literal(2), mixer, ...attributes }),
  v.strictObject({ id: uuid, type: v.picklist([1, 3]), ...attributes }),
]);

/**
 * A snapshot of which the `snapshotdata` was genuine; which number it gets is yet to be decided.
 */
export type VerifiedSnapshot = Omit<Snapshot, "number" | "factory">;

const MAC_BYTES = 32;
const encoder = new TextEncoder();

/** Gives the mac of what has this canonical JSON, in hexadecimal. */
export type MacOf = (canonical: string) => Promise<string>;

/**
 * What authenticates the snapshots of a site: libsodium's crypto_auth, which is the first 256 bits
 * of HMAC-SHA-512.
 */
export async function macOfSite(siteKey: string | undefined): Promise<MacOf> {
  const hmac = await hmacUnder(await keyOfSite(siteKey, "faderd snapshotdata"));
  return async (canonical) =>
    encodeHex((await hmac(encoder.encode(canonical))).subarray(0, MAC_BYTES));
}

/** The data of a snapshot, authenticated. */
export async function sealSnapshot(
  snapshot: Snapshot,
  macOf: MacOf,
  pacer: Pacer,
): Promise<SnapshotData> {
  const rest = { ...attributesOf(snapshot), content: contentOf(snapshot) };
  return { ...rest, mac: await macOf(await pacer.run(jsonSteps(rest, canonicalForm))) };
}

/** What `snapshotdata` has of a snapshot beside its content. */
export function attributesOf(
  { id, type, name, writegroups, readgroups, mixer }: Snapshot,
): Omit<SnapshotData, "content" | "mac"> {
  return { id, type, name, writegroups, readgroups, ...(mixer === undefined ? {} : { mixer }) };
}

/**
 * The snapshot that `data` brings. Refused (10): anything but what `sealSnapshot` gave under the
 * same site key, unaltered but for the order of members.
 */
export async function verifySnapshotData(
  data: unknown,
  macOf: MacOf,
  pacer: Pacer,
): Promise<VerifiedSnapshot | Refusal> {
  if (v.is(snapshotDataSchema, data)) {
    const { mac, ...rest } = data;
    const canonical = await pacer.run(jsonSteps(rest, canonicalForm));
    const expected = await macOf(canonical);
    if (timingSafeEqual(encoder.encode(mac), encoder.encode(expected))) {
      await pacer.pause();
      return { ...rest, content: contentIn(canonical) };
    }
  }
  const reason = "it was altered, or comes from a console with another site key";
  return refuse("alteredSnapshotData", reason, "snapshotdata");
}

/**
 * The content in the canonical JSON of `snapshotdata`, as a snapshot keeps it. In canonical JSON
 * the members have one order, so the same content is kept as the same text and gives the same
 * backup.
 */
export function contentIn(canonical: string): string {
  return JSON.stringify(JSON.parse(canonical).content);
}
