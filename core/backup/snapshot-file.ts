/**
 * Snapshots in an archive: `mxsnaps/<uuid>.sfp` and `chsnaps/<uuid>.sfp`, each
 * `{"number", "snapshotdata"}`, and `snapzero.json`, a list of `snapshotdata`. Factory snapshots
 * belong to the configuration and are not in them.
 *
 * @module
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import * as v from "valibot";
import { isRefusal, type Refusal } from "../errors.ts";
import { SNAPSHOT_ID } from "../limits.ts";
import { jsonInTurns } from "../json-pieces.ts";
import { canonicalForm } from "../snapshots/canonical.ts";
import { DEFAULT_ID, type Snapshot } from "../snapshots/snapshot.ts";
import {
  macBytes,
  openSnapshotData,
  sealSnapshot,
  snapshotKeyOfSite,
} from "../snapshots/snapshotdata.ts";
import { parseJson } from "./json-file.ts";
import { badArchive } from "./manifest.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import { tagTable } from "./tags.ts";

const encoder = new TextEncoder();

/**
 * Writes snapshots as files: the result gives a snapshot's file, in parts. It lets others have their
 * turns while it writes, and authenticates off the event loop.
 */
export async function snapshotFiles(
  siteKey: string | undefined,
  turn: () => Promise<void>,
): Promise<(snapshot: Snapshot) => Promise<readonly Uint8Array[]>> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const raw = new Uint8Array(snapshotKeyOfSite(siteKey));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);

  return async ({ number, factory: _, ...rest }) => {
    const text = encoder.encode(await jsonInTurns(rest, turn, canonicalForm));
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, key, text));
    const mac = bytesToHex(signature.subarray(0, macBytes));
    return [
      encoder.encode(`{"number":${number},"snapshotdata":`),
      text.subarray(0, -1),
      encoder.encode(`,"mac":"${mac}"}}`),
    ];
  };
}

const fileSchema = v.strictObject({
  number: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(SNAPSHOT_ID.min),
    v.maxValue(SNAPSHOT_ID.max),
  ),
  snapshotdata: v.unknown(),
});

/** The snapshot of a file; refused where it is not one that a backup under this key has there. */
export function openSnapshotFile(
  tag: SnapshotTag,
  name: string,
  bytes: Uint8Array,
  key: Uint8Array,
): Snapshot | Refusal {
  const file = parseJson(bytes)?.value;
  if (!v.is(fileSchema, file)) return badArchive(`${name} is no snapshot file of a backup`);
  const snapshot = opened(name, file.snapshotdata, file.number, key);
  if (isRefusal(snapshot)) return snapshot;
  return snapshotTagOf(snapshot) === tag && name === `${tagTable[tag].file}${snapshot.id}.sfp`
    ? snapshot
    : badArchive(`${name} holds another snapshot than its name says`);
}

/** The file of the default snapshots, of those that were ever saved. */
export function snapshotZeroFile(
  snapshots: readonly Snapshot[],
  siteKey: string | undefined,
): Uint8Array {
  const key = snapshotKeyOfSite(siteKey);
  const list = snapshots.map((snapshot) => sealSnapshot(snapshot, key));
  return encoder.encode(JSON.stringify(list));
}

/** The default snapshots of their file. */
export function openSnapshotZero(
  name: string,
  bytes: Uint8Array,
  key: Uint8Array,
): readonly Snapshot[] | Refusal {
  const list = parseJson(bytes)?.value;
  if (!Array.isArray(list)) return badArchive(`${name} is no list of snapshots`);
  const snapshots: Snapshot[] = [];
  for (const data of list) {
    const snapshot = opened(name, data, 0, key);
    if (isRefusal(snapshot)) return snapshot;
    if (snapshot.id !== DEFAULT_ID || snapshots.some(({ mixer }) => mixer === snapshot.mixer)) {
      return badArchive(`${name}: expected one default snapshot of each mixer at most`);
    }
    snapshots.push(snapshot);
  }
  return snapshots;
}

function opened(name: string, data: unknown, number: number, key: Uint8Array): Snapshot | Refusal {
  const given = openSnapshotData(data, key);
  if (given === undefined) {
    return badArchive(`${name} was altered, or comes from a console with another site key`);
  }
  const { mac: _, ...rest } = given;
  return { ...rest, number, factory: false };
}
