/**
 * Snapshots in an archive: `mxsnaps/<uuid>.sfp` and `chsnaps/<uuid>.sfp`, each
 * `{"number", "snapshotdata"}`, and `snapzero.json`, a list of `snapshotdata`. Factory snapshots
 * belong to the configuration and are not in them.
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import * as v from "valibot";
import { isRefusal, type Refusal } from "../errors.ts";
import { BACKUP_JSON_VALUES, SNAPSHOT_ID } from "../limits.ts";
import { canonicalJson } from "../snapshots/canonical.ts";
import { type MacOf, macUnder } from "../snapshots/mac.ts";
import { DEFAULT_ID, type Snapshot } from "../snapshots/snapshot.ts";
import {
  contentIn,
  isSnapshotData,
  macInTurns,
  snapshotKeyOfSite,
} from "../snapshots/snapshotdata.ts";
import { sameText } from "../users/token.ts";
import { parseJson } from "./json-file.ts";
import { listItems } from "./json-list.ts";
import { badArchive } from "./manifest.ts";
import { type SnapshotTag, snapshotTagOf } from "./snapshot-tag.ts";
import { tagTable } from "./tags.ts";

const encoder = new TextEncoder();

/** The parts of a file, in their order. */
export type FileParts = readonly Uint8Array[];

/** Writes the files of snapshots. */
export interface SnapshotFiles {
  /** The file of a snapshot. */
  one(snapshot: Snapshot): Promise<FileParts>;
  /** The file of the default snapshots, of those that were ever saved. */
  zero(snapshots: readonly Snapshot[]): Promise<FileParts>;
}

/**
 * Writes snapshots as files. It lets others have their turns while it writes, and authenticates off
 * the event loop.
 */
export async function snapshotFiles(
  siteKey: string | undefined,
  pacer: Pacer,
): Promise<SnapshotFiles> {
  const seal = await sealer(siteKey, pacer);
  return {
    async one(snapshot) {
      const start = encoder.encode(`{"number":${snapshot.number},"snapshotdata":`);
      return [start, ...await seal(snapshot), encoder.encode("}")];
    },
    async zero(snapshots) {
      const parts: Uint8Array[] = [];
      for (const snapshot of snapshots) {
        parts.push(encoder.encode(parts.length === 0 ? "[" : ","), ...await seal(snapshot));
        await pacer.pause();
      }
      return parts.length === 0 ? [encoder.encode("[]")] : [...parts, encoder.encode("]")];
    },
  };
}

/** Gives the `snapshotdata` of snapshots. */
async function sealer(
  siteKey: string | undefined,
  pacer: Pacer,
): Promise<(snapshot: Snapshot) => Promise<FileParts>> {
  const key = snapshotKeyOfSite(siteKey);
  const macOf = await macUnder(key);
  return async (snapshot) => {
    const mac = await macInTurns(snapshot, key, macOf, pacer);
    const { id, type, name, writegroups, readgroups, mixer, content } = snapshot;
    // In one order, whichever the snapshot has them in: the same state gives the same bytes.
    const attributes = JSON.stringify({ id, type, name, writegroups, readgroups, mixer, mac });
    return [encoder.encode(`${attributes.slice(0, -1)},"content":${content}}`)];
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
export async function openSnapshotFile(
  tag: SnapshotTag,
  name: string,
  bytes: Uint8Array,
  macOf: MacOf,
): Promise<Snapshot | Refusal> {
  const file = parseJson(bytes)?.value;
  if (!v.is(fileSchema, file)) return badArchive(`${name} is no snapshot file of a backup`);
  const snapshot = await opened(name, file.snapshotdata, file.number, macOf);
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
    const snapshot = await opened(name, parsed.value, 0, macOf);
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
): Promise<Snapshot | Refusal> {
  if (isSnapshotData(data)) {
    const { mac, ...rest } = data;
    const text = canonicalJson(rest);
    if (sameText(mac, await macOf(encoder.encode(text)))) {
      return { ...rest, content: contentIn(text), number, factory: false };
    }
  }
  return badArchive(`${name} was altered, or comes from a console with another site key`);
}
