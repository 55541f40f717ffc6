/**
 * What the files of a backup hold.
 *
 * @module
 */
import type { Pacer } from "../ports.ts";
import { crc32 } from "../crc32.ts";
import { settingsOf, type SettingsTag } from "../settings/settings.ts";
import type { State } from "../state.ts";
import { jsonFile } from "./json-file.ts";
import { BACKUP_FORMAT, MANIFEST, type Manifest, type Sum, SUMS } from "./manifest.ts";
import { withoutOwnParts } from "./own-parts.ts";
import { type FileParts, snapshotFiles } from "./snapshot-file.ts";
import { isSnapshotTag, snapshotsOf } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";
import { pemOf } from "./tls.ts";
import { sealUsers } from "./user-database.ts";

/** What packing asks of the world. */
export interface PackOptions {
  /** Wall time of the backup, in ms since 1970. */
  readonly time: number;
  readonly pacer: Pacer;
}

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string;
  readonly parts: FileParts;
}

/** The files of an archive, in their order, each made when it is asked for. */
export function filesOf(
  state: State,
  tags: readonly Tag[],
  { time, pacer }: PackOptions,
): AsyncGenerator<ArchiveFile> {
  const { name, firmware } = state.configuration.device;
  async function* files() {
    for (const tag of tags) yield* filesOfTag(state, tag, pacer);
  }
  return vouchedFor(files(), { device: name, firmware, time, tags });
}

/** What an archive says of itself; `time` in ms since 1970. */
export interface Origin extends Omit<Manifest, "format" | "time"> {
  readonly time: number;
}

/** Files with the manifest before them and their sums after. */
export async function* vouchedFor(
  files: AsyncIterable<ArchiveFile> | Iterable<ArchiveFile>,
  { device, firmware, time, tags }: Origin,
): AsyncGenerator<ArchiveFile> {
  const manifest: Manifest = {
    format: BACKUP_FORMAT,
    device,
    firmware,
    time: new Date(time).toISOString(),
    tags,
  };
  yield { name: MANIFEST, parts: [jsonFile(manifest)] };
  const sums: Sum[] = [];
  for await (const file of files) {
    const bytes = file.parts.reduce((sum, part) => sum + part.length, 0);
    const sum = file.parts.reduce((before, part) => crc32(part, before), 0);
    sums.push({ name: file.name, bytes, crc32: sum });
    yield file;
  }
  yield { name: SUMS, parts: [jsonFile(sums)] };
}

/** The files of a tag. */
export async function* filesOfTag(
  state: State,
  tag: Tag,
  pacer: Pacer,
): AsyncGenerator<ArchiveFile> {
  const { configuration, snapshots, users, tls } = state;
  const { siteKey, written } = configuration;
  const { file } = tagTable[tag];
  if (tag === "FWCONFIG") return yield { name: file, parts: [jsonFile(withoutOwnParts(written))] };
  if (tag === "TLS") return yield { name: file, parts: [pemOf(tls)] };
  if (tag === "USERS") return yield { name: file, parts: [sealUsers(users.values(), siteKey)] };
  if (!isSnapshotTag(tag)) {
    return yield { name: file, parts: [jsonFile(settingsOf(state, tag as SettingsTag))] };
  }
  const ofTag = snapshotsOf(snapshots, tag);
  const files = await snapshotFiles(siteKey, pacer);
  if (tag === "SNAPZERO") return yield { name: file, parts: await files.zero(ofTag) };
  // The next is authenticated, off this thread, while one is compressed on it.
  let next = ofTag[0] && files.one(ofTag[0]);
  for (const [at, { id }] of ofTag.entries()) {
    const parts = await next!;
    const following = ofTag[at + 1];
    next = following && files.one(following);
    yield { name: `${file}${id}.sfp`, parts };
  }
}
