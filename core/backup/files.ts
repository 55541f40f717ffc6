/**
 * The contents of the files of a backup.
 *
 * @module
 */
import { crc32 } from "../crc32.ts";
import { jsonFile } from "../json-file.ts";
import type { CooperativeScheduler } from "../ports.ts";
import { settingsOf } from "../settings/settings.ts";
import { siteKeyOf } from "../site-key.ts";
import { type MacOf, macOfSite } from "../snapshots/snapshotdata.ts";
import type { State } from "../state.ts";
import { BACKUP_FORMAT, MANIFEST, type Manifest, type Sum, SUMS } from "./manifest.ts";
import { withoutOwnParts } from "./own-parts.ts";
import { snapshotFile, snapshotZeroFile } from "./snapshot-file.ts";
import { isSnapshotTag, snapshotsOf, type SnapshotTag } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";
import { pemOf } from "./tls.ts";
import { sealUsers } from "./user-database.ts";
import { viewDocumentsFile } from "./view-documents-file.ts";

/** Options and ports of packing. */
export interface PackOptions {
  /** Wall time of the backup, in ms since 1970. */
  readonly time: number;
  readonly scheduler: CooperativeScheduler;
}

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Yields the files of an archive, in their order; each is made on demand. */
export async function* filesOf(
  state: State,
  tags: readonly Tag[],
  { time, scheduler }: PackOptions,
): AsyncGenerator<ArchiveFile> {
  const { name, firmware } = state.configuration.device;
  const macOf = await macOfSite(siteKeyOf(state));
  const pausedMacOf: MacOf = async (canonical) => {
    await scheduler.pause();
    return await macOf(canonical);
  };
  async function* files() {
    for (const tag of tags) yield* filesOfTag(state, tag, pausedMacOf);
  }
  const made = new Date(time).toISOString();
  yield* vouchedFor(files(), { device: name, firmware, time: made, tags });
}

/** Adds the manifest before the files, and their checksums after them. */
export async function* vouchedFor(
  files: AsyncIterable<ArchiveFile> | Iterable<ArchiveFile>,
  origin: Omit<Manifest, "format">,
): AsyncGenerator<ArchiveFile> {
  yield { name: MANIFEST, bytes: jsonFile({ format: BACKUP_FORMAT, ...origin }) };
  const sums: Sum[] = [];
  for await (const file of files) {
    const { name, bytes } = file;
    sums.push({ name, bytes: bytes.length, crc32: crc32(bytes) });
    yield file;
  }
  yield { name: SUMS, bytes: jsonFile(sums) };
}

/** Yields the files of a tag. */
export async function* filesOfTag(
  state: State,
  tag: Tag,
  macOf: MacOf,
): AsyncGenerator<ArchiveFile> {
  const { file: name } = tagTable[tag];
  if (!isSnapshotTag(tag)) return yield { name, bytes: await bytesOfTag(state, tag) };
  const snapshots = snapshotsOf(state.snapshots, tag);
  if (tag === "SNAPZERO") return yield { name, bytes: await snapshotZeroFile(snapshots, macOf) };
  for (const snapshot of snapshots) {
    yield { name: `${name}${snapshot.id}.sfp`, bytes: await snapshotFile(snapshot, macOf) };
  }
}

async function bytesOfTag(state: State, tag: Exclude<Tag, SnapshotTag>): Promise<Uint8Array> {
  switch (tag) {
    case "FWCONFIG":
      return jsonFile(withoutOwnParts(state.configuration.written), tagTable[tag].bytes);
    case "TLS":
      return pemOf(state.tls);
    case "USERS":
      return await sealUsers(state.users.values(), siteKeyOf(state));
    case "VIEW":
      return viewDocumentsFile(state.viewDocuments);
    default:
      return jsonFile(settingsOf(state, tag), tagTable[tag].bytes);
  }
}
