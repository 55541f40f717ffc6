/**
 * Snapshots in an archive: `mxsnaps/<uuid>.sfp` and `chsnaps/<uuid>.sfp`, each
 * `{"number", "snapshotdata"}`, and `snapzero.json`, a list of `snapshotdata`. Factory snapshots
 * belong to the configuration and are not in them.
 *
 * @module
 */
import * as v from "valibot";
import { isRefusal, type Refusal } from "../errors.ts";
import { jsonWith } from "../json-text.ts";
import { BACKUP_JSON_VALUES, SNAPSHOT_ID } from "../limits.ts";
import type { Pacer } from "../ports.ts";
import { DEFAULT_ID, type Snapshot } from "../snapshots/snapshot.ts";
import { attributesOf, type MacOf, verifySnapshotData } from "../snapshots/snapshotdata.ts";
import { parseJson } from "./json-file.ts";
import { listItems } from "./json-list.ts";
import { badArchive } from "./manifest.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import { tagTable } from "./tags.ts";

/** Gives the mac of a snapshot. */
export type MacOfSnapshot = (snapshot: Snapshot) => Promise<string>;

/** The file of a snapshot, as text. */
export async function snapshotFile(snapshot: Snapshot, macOf: MacOfSnapshot): Promise<string> {
  const { number } = snapshot;
  return jsonWith({ number }, "snapshotdata", await dataText(snapshot, macOf));
}

/** The file of the default snapshots, of those that were ever saved, as parts of a text. */
export async function* snapshotZeroFile(
  snapshots: readonly Snapshot[],
  macOf: MacOfSnapshot,
): AsyncGenerator<string> {
  let before = "[";
  for (const snapshot of snapshots) {
    yield before + await dataText(snapshot, macOf);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

async function dataText(snapshot: Snapshot, macOf: MacOfSnapshot): Promise<string> {
  const attributes = { ...attributesOf(snapshot), mac: await macOf(snapshot) };
  return jsonWith(attributes, "content", snapshot.content);
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
export async function openSnapshotFile(
  tag: SnapshotTag,
  name: string,
  bytes: Uint8Array,
  macOf: MacOf,
  pacer: Pacer,
): Promise<Snapshot | Refusal> {
  const file = parseJson(bytes)?.value;
  if (!v.is(fileSchema, file)) return badArchive(`${name} is no snapshot file of a backup`);
  const snapshot = await opened(name, file.snapshotdata, file.number, macOf, pacer);
  if (isRefusal(snapshot)) return snapshot;
  return snapshotTagOf(snapshot) === tag && name === `${tagTable[tag].file}${snapshot.id}.sfp`
    ? snapshot
    : badArchive(`${name} holds another snapshot than its name says`);
}

/** The default snapshots of their file, opened one in each turn of the event loop. */
export async function openSnapshotZero(
  name: string,
  bytes: Uint8Array,
  macOf: MacOf,
  pacer: Pacer,
): Promise<readonly Snapshot[] | Refusal> {
  const snapshots: Snapshot[] = [];
  let values = 0;
  for (const item of listItems(bytes)) {
    await pacer.pause();
    const parsed = item && parseJson(item, BACKUP_JSON_VALUES - values);
    if (parsed === undefined) return badArchive(`${name} is no list of snapshots`);
    values += parsed.values;
    const snapshot = await opened(name, parsed.value, 0, macOf, pacer);
    if (isRefusal(snapshot)) return snapshot;
    if (snapshot.id !== DEFAULT_ID || snapshots.some(({ mixer }) => mixer === snapshot.mixer)) {
      return badArchive(`${name}: expected one default snapshot of each mixer at most`);
    }
    snapshots.push(snapshot);
  }
  return snapshots;
}

async function opened(
  name: string,
  data: unknown,
  number: number,
  macOf: MacOf,
  pacer: Pacer,
): Promise<Snapshot | Refusal> {
  const verified = await verifySnapshotData(data, macOf, pacer);
  return isRefusal(verified)
    ? badArchive(`${name} was altered, or comes from a console with another site key`)
    : { ...verified, number, factory: false };
}
