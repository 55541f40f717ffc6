/**
 * `snapshotdata`: what `getsnapshot` hands out and `setsnapshot` takes back unchanged, here or on
 * another console with the same site key (decisions.md, "RPC").
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import * as v from "valibot";
import { READGROUPS, SNAPSHOT_NAME_LENGTH, WRITEGROUPS } from "../limits.ts";
import { type Branch, isBranch } from "../tree/tree.ts";
import { sameText } from "../users/token.ts";
import { isLarge, jsonSteps } from "../json-pieces.ts";
import { canonicalForm, canonicalJson } from "./canonical.ts";
import { type MacOf, macOf, macUnder } from "./mac.ts";
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
/** Characters of content from which on a mac takes long: about 0.2 ms. */
const LARGE_CONTENT = 8 * 1024;

/** The key under which a site's snapshots are authenticated; derived, so that it serves only that. */
export function snapshotKeyOfSite(siteKey: string | undefined): Uint8Array {
  const secret = utf8ToBytes(siteKey ?? PUBLISHED_SITE_KEY);
  return hkdf(sha512, secret, undefined, utf8ToBytes("faderd snapshotdata"), KEY_BYTES);
}

/** The data of a snapshot, authenticated. */
export function sealSnapshot(snapshot: Snapshot, key: Uint8Array): SnapshotData {
  const rest = sealedPart(snapshot);
  return { ...rest, mac: foreseenMac(snapshot, key) ?? macOf(rest, key) };
}

function sealedPart(snapshot: Snapshot): Omit<SnapshotData, "mac"> {
  const { id, type, name, writegroups, readgroups, mixer } = snapshot;
  const source = mixer === undefined ? {} : { mixer };
  const content = contentOf(snapshot);
  return { id, type, name, writegroups, readgroups, ...source, content };
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
  return sameText(mac, foreseenMac(data, key) ?? macOf(rest, key)) ? data : undefined;
}

/** What was worked out ahead, by the very object that it is of. */
const foreseen = new WeakMap<object, Foreseen>();

interface Foreseen {
  readonly key: string;
  readonly mac: string;
  /** Of what is to be opened: its content, as a snapshot keeps it. */
  readonly content?: string;
}

function foreseenMac(of: object, key: Uint8Array): string | undefined {
  const known = foreseen.get(of);
  return known?.key === bytesToHex(key) ? known.mac : undefined;
}

/**
 * The mac of a snapshot, in several turns and off the event loop, for that of a whole mixer takes
 * longer than a fade may wait. Worked out once for each: it is never altered.
 */
export async function macInTurns(
  snapshot: Snapshot,
  key: Uint8Array,
  macOf: MacOf,
  pacer: Pacer,
): Promise<string> {
  const known = foreseenMac(snapshot, key);
  if (known !== undefined) return known;
  const text = await pacer.run(jsonSteps(sealedPart(snapshot), canonicalForm));
  const mac = await macOf(new TextEncoder().encode(text));
  foreseen.set(snapshot, { key: bytesToHex(key), mac });
  return mac;
}

/** Works out ahead what `sealSnapshot` will need, where that takes long. */
export async function foreseeSealed(
  snapshot: Snapshot,
  key: Uint8Array,
  pacer: Pacer,
): Promise<void> {
  if (snapshot.content.length < LARGE_CONTENT) return;
  await macInTurns(snapshot, key, await macUnder(key), pacer);
}

/** The same for `openSnapshotData` of `data`, which nobody may alter from now on. */
export async function foreseeOpened(
  data: unknown,
  key: Uint8Array,
  pacer: Pacer,
): Promise<void> {
  if (!isLarge(data) || !isSnapshotData(data)) return;
  const { mac: _, ...rest } = data;
  const text = await pacer.run(jsonSteps(rest, canonicalForm));
  const mac = await (await macUnder(key))(new TextEncoder().encode(text));
  await pacer.pause();
  foreseen.set(data, { key: bytesToHex(key), mac, content: contentIn(text) });
}

/**
 * The content of `snapshotdata` as a snapshot keeps it: the same text for the same JSON, in whichever
 * order its members came, so that the same state gives the same backup.
 */
export function keptContent(data: SnapshotData): string {
  return foreseen.get(data)?.content ?? contentIn(canonicalJson({ content: data.content }));
}

/** The same of data with this canonical JSON: in it, members have one order. */
export function contentIn(canonical: string): string {
  return JSON.stringify(JSON.parse(canonical).content);
}
