/**
 * Snapshots in an archive: `mxsnaps/<uuid>.sfp` and `chsnaps/<uuid>.sfp`, each
 * `{"number", "snapshotdata"}`, and `snapzero.json`, a list of `snapshotdata`. Factory snapshots
 * belong to the configuration and are not in them.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import * as v from "valibot";
import { whole } from "../configuration/schema.ts";
import { errorCodes, isRefusal, type Refusal } from "../errors.ts";
import { canonicalJson, listItems, parseUtf8 } from "../json.ts";
import { BACKUP_JSON_VALUES, SNAPSHOT_ID } from "../limits.ts";
import { DEFAULT_ID, type Snapshot } from "../snapshots/snapshot.ts";
import {
  attributesOf,
  canonicalData,
  type MacOf,
  type VerifiedSnapshot,
} from "../snapshots/snapshotdata.ts";
import { badArchive } from "./manifest.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import { tagTable } from "./tags.ts";

const encoder = new TextEncoder();

/** Verifies `snapshotdata`. */
export type VerifySnapshot = (snapshotdata: unknown) => Promise<VerifiedSnapshot | Refusal>;

/** Makes the file of a snapshot. */
export async function snapshotFile(snapshot: Snapshot, macOf: MacOf): Promise<Uint8Array> {
  const before = encoder.encode(`{"number":${snapshot.number},"snapshotdata":`);
  return concat([before, ...await dataOf(snapshot, macOf), encoder.encode("}")]);
}

/** Makes the file of the default snapshots that were saved. */
export async function snapshotZeroFile(
  snapshots: readonly Snapshot[],
  macOf: MacOf,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const snapshot of snapshots) {
    parts.push(encoder.encode(parts.length === 0 ? "[" : ","), ...await dataOf(snapshot, macOf));
  }
  return concat([...parts, encoder.encode(parts.length === 0 ? "[]" : "]")]);
}

/** Makes the parts of the `snapshotdata` of a snapshot, as JSON. */
async function dataOf(snapshot: Snapshot, macOf: MacOf): Promise<readonly Uint8Array[]> {
  const canonical = canonicalData(canonicalJson(attributesOf(snapshot)), snapshot.content);
  const mac = encoder.encode(`,"mac":"${await macOf(canonical)}"}`);
  return [canonical.subarray(0, -"}".length), mac];
}

const fileSchema = v.strictObject({
  number: whole(SNAPSHOT_ID.min, SNAPSHOT_ID.max),
  snapshotdata: v.unknown(),
});

/** Reads the snapshot of a file. Refused: a file that a backup under this site key cannot have. */
export async function openSnapshotFile(
  tag: SnapshotTag,
  name: string,
  bytes: Uint8Array,
  verify: VerifySnapshot,
): Promise<Snapshot | Refusal> {
  const file = parseUtf8(bytes, BACKUP_JSON_VALUES);
  if (!v.is(fileSchema, file)) return badArchive(`${name} is not a snapshot file of a backup`);
  const snapshot = await opened(name, file.snapshotdata, file.number, verify);
  if (isRefusal(snapshot)) return snapshot;
  return snapshotTagOf(snapshot) === tag && name === `${tagTable[tag].file}${snapshot.id}.sfp`
    ? snapshot
    : badArchive(`${name} holds another snapshot than its name says`);
}

/** Reads the file of the default snapshots, and verifies each before it parses the next one. */
export async function openSnapshotZero(
  name: string,
  bytes: Uint8Array,
  verify: VerifySnapshot,
): Promise<readonly Snapshot[] | Refusal> {
  const snapshots: Snapshot[] = [];
  for (const item of listItems(bytes)) {
    const data = item && parseUtf8(item, BACKUP_JSON_VALUES);
    if (data === undefined) return badArchive(`${name} is not a list of snapshots`);
    const snapshot = await opened(name, data, 0, verify);
    if (isRefusal(snapshot)) return snapshot;
    if (snapshot.id !== DEFAULT_ID || snapshots.some(({ mixer }) => mixer === snapshot.mixer)) {
      return badArchive(`${name}: expected at most one default snapshot of each mixer`);
    }
    snapshots.push(snapshot);
  }
  return snapshots;
}

async function opened(
  name: string,
  data: unknown,
  number: number,
  verify: VerifySnapshot,
): Promise<Snapshot | Refusal> {
  const verified = await verify(data);
  if (!isRefusal(verified)) return { ...verified, number, factory: false };
  return verified.code === errorCodes.alteredSnapshotData
    ? badArchive(`${name} was altered, or comes from a console with another site key`)
    : badArchive(`${name}: ${verified.message}`);
}
