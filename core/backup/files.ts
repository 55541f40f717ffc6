/**
 * What the files of a backup hold.
 *
 * @module
 */
import { crc32 } from "../crc32.ts";
import type { Pacer } from "../ports.ts";
import { settingsOf } from "../settings/settings.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { macOfSite, sealSnapshot } from "../snapshots/snapshotdata.ts";
import type { State } from "../state.ts";
import type { User } from "../users/user.ts";
import { jsonFile } from "./json-file.ts";
import { BACKUP_FORMAT, MANIFEST, type Manifest, type Sum, SUMS } from "./manifest.ts";
import { withoutOwnParts } from "./own-parts.ts";
import { type MacOfSnapshot, snapshotFile, snapshotZeroFile } from "./snapshot-file.ts";
import { isSnapshotTag, snapshotsOf, type SnapshotTag } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";
import { pemOf } from "./tls.ts";
import { sealUsers } from "./user-database.ts";

const encoder = new TextEncoder();

/** What packing asks of the world. */
export interface PackOptions {
  /** Wall time of the backup, in ms since 1970. */
  readonly time: number;
  readonly pacer: Pacer;
  readonly macs?: KnownMacs;
}

/**
 * The macs of snapshots that were worked out for one backup, kept for the next by whoever makes them all
 * of one console: of 1,000 mixers they take twice the time of all the rest (`deno task bench backup`).
 */
export type KnownMacs = Map<Snapshot, string>;

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string;
  /** Its bytes, in parts that follow one another. */
  readonly parts: readonly Uint8Array[];
}

/** How what needs the site key is written. */
export interface Sealing {
  readonly macOf: MacOfSnapshot;
  users(users: Iterable<User>): Promise<Uint8Array>;
}

/** The files of an archive, in their order, each made when it is asked for. */
export async function* filesOf(
  state: State,
  tags: readonly Tag[],
  { time, pacer, macs = new Map() }: PackOptions,
): AsyncGenerator<ArchiveFile> {
  const { siteKey, device: { name, firmware } } = state.configuration;
  const macOf = await macOfSite(siteKey);
  const present = new Set(state.snapshots.values());
  for (const snapshot of macs.keys()) if (!present.has(snapshot)) macs.delete(snapshot);
  const sealing: Sealing = {
    async macOf(snapshot) {
      await pacer.pause();
      const mac = macs.get(snapshot) ?? (await sealSnapshot(snapshot, macOf, pacer)).mac;
      macs.set(snapshot, mac);
      return mac;
    },
    users: (users) => sealUsers(users, siteKey),
  };
  async function* files() {
    for (const tag of tags) yield* filesOfTag(state, tag, sealing);
  }
  yield* vouchedFor(files(), { device: name, firmware, time, tags });
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
  { macOf, users }: Sealing,
): AsyncGenerator<ArchiveFile> {
  const { file } = tagTable[tag];
  if (!isSnapshotTag(tag)) {
    return yield { name: file, parts: [await bytesOfTag(state, tag, users)] };
  }
  const snapshots = snapshotsOf(state.snapshots, tag);
  if (tag === "SNAPZERO") {
    const parts: Uint8Array[] = [];
    for await (const part of snapshotZeroFile(snapshots, macOf)) parts.push(encoder.encode(part));
    return yield { name: file, parts };
  }
  for (const snapshot of snapshots) {
    const text = await snapshotFile(snapshot, macOf);
    yield { name: `${file}${snapshot.id}.sfp`, parts: [encoder.encode(text)] };
  }
}

async function bytesOfTag(
  state: State,
  tag: Exclude<Tag, SnapshotTag>,
  sealUsers: Sealing["users"],
): Promise<Uint8Array> {
  switch (tag) {
    case "FWCONFIG":
      return jsonFile(withoutOwnParts(state.configuration.written));
    case "TLS":
      return pemOf(state.tls);
    case "USERS":
      return await sealUsers(state.users.values());
    default:
      return jsonFile(settingsOf(state, tag));
  }
}
