/**
 * `snapshotdata`: the form of a snapshot that `getsnapshot` returns and `setsnapshot` accepts
 * unchanged, on this or another console with the same site key (decisions.md, "RPC").
 *
 * @module
 */
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import * as v from "valibot";
import { type Refusal, refuse } from "../errors.ts";
import { hexOf } from "../hex.ts";
import { canonicalForm, canonicalJson, jsonSteps } from "../json.ts";
import { READGROUPS, SNAPSHOT_NAME_LENGTH, WRITEGROUPS } from "../limits.ts";
import type { CooperativeScheduler } from "../ports.ts";
import { hmacUnder, keyOfSite } from "../site-key.ts";
import { shown } from "../shown.ts";
import { textFault } from "../tree/leaf.ts";
import { type Branch, isBranch } from "../tree/tree.ts";
import { contentOf, DEFAULT_ID, type Snapshot, type SnapshotType } from "./snapshot.ts";

/** A snapshot for the transfer between consoles. */
export interface SnapshotData {
  readonly id: string;
  readonly type: SnapshotType;
  readonly name: string;
  readonly writegroups: number;
  readonly readgroups: number;
  /** The mixer from which it was saved; only for type 2. */
  readonly mixer?: number;
  readonly content: Branch;
  /** crypto_auth over the canonical JSON of the rest, in hexadecimal. */
  readonly mac: string;
}

/**
 * The members are validated like those of `savesnapshot`, because a site key may be widely known.
 */
const integer = (min: number, max: number) => {
  const expected = `an integer from ${min} to ${max}`;
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
};
const nameForm = `text of at most ${SNAPSHOT_NAME_LENGTH.max} characters, none a control character`;
const uuidForm = "a UUID in lower case";
const common = {
  name: v.pipe(
    v.string(nameForm),
    v.check((name) => textFault(name, SNAPSHOT_NAME_LENGTH.max) === undefined, nameForm),
    v.transform((name) => name.normalize("NFC")),
  ),
  readgroups: integer(READGROUPS.min, READGROUPS.max),
  writegroups: integer(WRITEGROUPS.min, WRITEGROUPS.max),
};
const mixer = integer(0, Number.MAX_SAFE_INTEGER);
const uuid = v.pipe(
  v.string(uuidForm),
  v.uuid(uuidForm),
  v.check((text) => text === text.toLowerCase(), uuidForm),
);
const schemas = {
  ofDefault: v.strictObject({
    id: v.literal(DEFAULT_ID),
    name: v.literal(DEFAULT_ID, DEFAULT_ID),
    type: v.literal(2, "2"),
    mixer,
    readgroups: v.literal(0, "0"),
    writegroups: v.literal(0, "0"),
  }),
  ofMixer: v.strictObject({ ...common, id: uuid, type: v.literal(2), mixer }),
  ofOther: v.strictObject({ ...common, id: uuid, type: v.picklist([1, 3], "1, 2 or 3") }),
};

/** A snapshot with authentic `snapshotdata`; its number is not assigned yet. */
export type VerifiedSnapshot = Omit<Snapshot, "number" | "factory">;

const MAC_BYTES = 32;
const encoder = new TextEncoder();

/** Returns the MAC, in hexadecimal, of the output of {@linkcode canonicalData}. */
export type MacOf = (canonical: Uint8Array<ArrayBuffer>) => Promise<string>;

/**
 * Makes the MAC function of a site for its snapshots: crypto_auth of libsodium, which is the first
 * 256 bits of HMAC-SHA-512.
 */
export async function macOfSite(siteKey: string | undefined): Promise<MacOf> {
  const hmac = await hmacUnder(await keyOfSite(siteKey, "faderd snapshotdata"));
  return async (canonical) => hexOf((await hmac(canonical)).subarray(0, MAC_BYTES));
}

/**
 * Returns the canonical JSON of `snapshotdata` without its MAC. `attributes` and `content` are
 * canonical JSON already, and `content` becomes the first member.
 */
export function canonicalData(attributes: string, content: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`{"content":${content},${attributes.slice(1)}`);
}

/** Returns the authenticated data of a snapshot. */
export async function sealSnapshot(snapshot: Snapshot, macOf: MacOf): Promise<SnapshotData> {
  const attributes = attributesOf(snapshot);
  const mac = await macOf(canonicalData(canonicalJson(attributes), snapshot.content));
  return { ...attributes, content: contentOf(snapshot), mac };
}

/** Returns the members of `snapshotdata` other than the content. */
export function attributesOf(
  { id, type, name, writegroups, readgroups, mixer }: Snapshot,
): Omit<SnapshotData, "content" | "mac"> {
  return { id, type, name, writegroups, readgroups, ...(mixer === undefined ? {} : { mixer }) };
}

/**
 * Returns the snapshot in `data`. Refuses data that was altered, except for the order of members,
 * or sealed under another site key (10); and values that no console would seal, but anybody with
 * the site key could (3, naming the member).
 */
export async function verifySnapshotData(
  data: unknown,
  macOf: MacOf,
  scheduler: CooperativeScheduler,
): Promise<VerifiedSnapshot | Refusal> {
  if (!isBranch(data) || typeof data.mac !== "string" || !MAC.test(data.mac)) return ALTERED;
  const { mac, content: given, ...attributes } = data;
  if (!isBranch(given)) return ALTERED;
  const content = await scheduler.run(jsonSteps(given, canonicalForm));
  const rest = await scheduler.run(jsonSteps(attributes, canonicalForm));
  const expected = await macOf(canonicalData(rest, content));
  if (!timingSafeEqual(encoder.encode(mac), encoder.encode(expected))) return ALTERED;
  await scheduler.pause();
  const { ofDefault, ofMixer, ofOther } = schemas;
  const { id, type } = attributes;
  const schema = id === DEFAULT_ID ? ofDefault : type === 2 ? ofMixer : ofOther;
  const parsed = v.safeParse(schema, attributes, { abortEarly: true });
  return parsed.success ? { ...parsed.output, content } : refuseMember(parsed.issues[0]);
}

const MAC = /^[0-9a-f]{64}$/;

const ALTERED = refuse(
  "alteredSnapshotData",
  "it was altered, or comes from a console with another site key",
  "snapshotdata",
);

function refuseMember({ type, expected, message, input, path }: v.BaseIssue<unknown>): Refusal {
  const member = String(path?.[0]?.key);
  const sentence = type !== "strict_object"
    ? `expected ${member} to be ${message}, got ${shown(input)}`
    : expected === "never"
    ? `expected no member ${shown(member)}`
    : `expected a member ${member}, it is missing`;
  return refuse("invalidParameter", sentence, "snapshotdata");
}
