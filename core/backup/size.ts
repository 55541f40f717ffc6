/**
 * How large a backup will be, known before it is made: one that no restore takes is not to be found
 * out only when it is needed.
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import { type Refusal, refuse } from "../errors.ts";
import { BACKUP_BYTES, BACKUP_FILES, BACKUP_JSON_VALUES } from "../limits.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { State } from "../state.ts";
import { type ArchiveFile, filesOfTag, type PackOptions } from "./files.ts";
import { jsonValues } from "./json-file.ts";
import { snapshotFiles } from "./snapshot-file.ts";
import { isSnapshotTag, snapshotsOf } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";
import { sealedSize } from "./user-database.ts";

interface Size {
  readonly bytes: number;
  readonly values: number;
}

/** Of each snapshot, once: it is never altered. */
const known = new WeakMap<Snapshot, Size>();

const BLOCK_BYTES = 512;
/** What the sum of a file takes in `sums.json`, and more. */
const SUM_BYTES = 256;

/** What a file takes in a tar, its header included. */
export function bytesInTar(bytes: number): number {
  return BLOCK_BYTES + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Why a backup could not be restored (11): too many files, or too large ones. */
export async function sizeRefusal(
  state: State,
  tags: readonly Tag[],
  { pacer }: Pick<PackOptions, "pacer">,
): Promise<Refusal | undefined> {
  let [files, bytes] = [0, 0];
  for (const tag of tags) {
    const most = tagTable[tag].bytes;
    for await (const { name, size } of sizesOf(state, tag, pacer)) {
      files++;
      bytes += bytesInTar(size.bytes) + SUM_BYTES;
      if (size.bytes > most) return tooLarge(`${name} has ${size.bytes} bytes`, most);
      if (size.values > BACKUP_JSON_VALUES) {
        return tooLarge(`${name} has ${size.values} values`, BACKUP_JSON_VALUES);
      }
      if (files > BACKUP_FILES) return tooLarge("it has more files", BACKUP_FILES);
      if (bytes > BACKUP_BYTES) return tooLarge("it has more bytes", BACKUP_BYTES);
    }
  }
}

function tooLarge(what: string, most: number): Refusal {
  const sentence = `this backup could not be restored: ${what}, expected at most ${most}`;
  return refuse("limitReached", sentence);
}

async function* sizesOf(
  state: State,
  tag: Tag,
  pacer: Pacer,
): AsyncGenerator<{ readonly name: string; readonly size: Size }> {
  if (tag === "USERS") {
    const { bytes, json } = sealedSize(state.users.values());
    return yield { name: tagTable[tag].file, size: { bytes, values: jsonValues(json) } };
  }
  if (!isSnapshotTag(tag)) {
    for await (const { name, parts } of filesOfTag(state, tag, pacer)) {
      yield { name, size: sizeOf(parts) };
    }
    return;
  }
  const files = await snapshotFiles(state.configuration.siteKey, pacer);
  const all = { bytes: 0, values: 0 };
  for (const snapshot of snapshotsOf(state.snapshots, tag)) {
    let size = known.get(snapshot);
    if (size === undefined) known.set(snapshot, size = sizeOf(await files.one(snapshot)));
    if (tag !== "SNAPZERO") yield { name: `${tagTable[tag].file}${snapshot.id}.sfp`, size };
    all.bytes += size.bytes;
    all.values += size.values;
  }
  if (tag === "SNAPZERO") yield { name: tagTable[tag].file, size: all };
}

function sizeOf(parts: ArchiveFile["parts"]): Size {
  return {
    bytes: parts.reduce((sum, part) => sum + part.length, 0),
    values: parts.reduce((sum, part) => sum + jsonValues(part), 0),
  };
}
