/**
 * Archives made by hand, so that they can be wrong in any way, and consoles to restore them to.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { actor, granted, restoring, stillPorts } from "../actors.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import type { CooperativeScheduler } from "../../../core/ports.ts";
import type { Console } from "../../../core/console.ts";
import { type Device, noDevice } from "../../../core/backup/device.ts";
import { restoreBackup, type RestoreOutcome } from "../../../core/backup/restore-backup.ts";
import {
  type BackupContents,
  readBackup,
  type ReadBackupOptions,
} from "../../../core/backup/read-backup.ts";
import type { PackOptions } from "../../../core/backup/files.ts";
import { pack } from "../../../core/backup/pack.ts";
import { MANIFEST, SUMS } from "../../../core/backup/manifest.ts";
import { type AskedTags, readTags, type Tag, tagOfFile } from "../../../core/backup/tags.ts";
import { crc32 } from "../../../core/crc32.ts";
import type { Refusal } from "../../../core/errors.ts";
import { type ConsoleEvent, reduce } from "../../../core/events.ts";
import type { State } from "../../../core/state.ts";

/** One entry of a tar. */
export interface Entry {
  readonly name: string;
  readonly content?: Uint8Array | string;
  /** The type flag of tar; "0" is a plain file. */
  readonly type?: string;
  readonly link?: string;
  /** The length that the header claims, where it differs from the length of the content. */
  readonly size?: number;
  readonly wrongSum?: true;
}

const BLOCK = 512;
const encoder = new TextEncoder();

/** The bytes of a text, and bytes as they are. */
export function bytesOf(content: Uint8Array | string): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? encoder.encode(content) : new Uint8Array(content);
}

/** A tar of entries, with its two blocks of zeros at the end. */
export function tarOf(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap((entry) => {
    const content = bytesOf(entry.content ?? "");
    return [header(entry, content.length), content, new Uint8Array(-content.length & BLOCK - 1)];
  });
  return concat([...parts, new Uint8Array(2 * BLOCK)]);
}

function header(entry: Entry, length: number): Uint8Array {
  const { name, type = "0", link = "", size = length, wrongSum } = entry;
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => encoder.encodeInto(text, block.subarray(at));
  put(0, name);
  put(100, "0000600\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, `${size.toString(8).padStart(11, "0")}\0`);
  put(136, "00000000000\0");
  put(148, " ".repeat(8));
  put(156, type);
  put(157, link);
  put(257, "ustar\x0000");
  let sum = wrongSum ? 1 : 0;
  for (const byte of block) sum += byte;
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return block;
}

/** Bytes, gzip-compressed. */
export function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return collected(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip")));
}

/** Gzip-compressed bytes, unpacked. */
export function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return collected(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** All bytes of a stream. */
export async function collected(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The entries of a valid archive: a manifest, the files, their sums. */
export function entriesOf(files: readonly Entry[], tags?: readonly string[]): Entry[] {
  const named = tags ?? [...new Set(files.map(({ name }) => tagOfFile(name) ?? "TLS"))];
  const manifest = {
    format: 1,
    device: "test",
    firmware: "10.3.0",
    time: "2026-01-02T03:04:05.678Z",
    tags: named,
  };
  const sums = files.map(({ name, content = "" }) => {
    const bytes = bytesOf(content);
    return { name, bytes: bytes.length, crc32: crc32(bytes) };
  });
  return [
    { name: MANIFEST, content: JSON.stringify(manifest) },
    ...files,
    { name: SUMS, content: JSON.stringify(sums) },
  ];
}

/** An archive of these files, with a valid manifest and valid sums. */
export function archiveOf(...files: readonly Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  return gzip(tarOf(entriesOf(files)));
}

/** An archive whose only file is a JSON document. */
export function documentOf(name: string, document: unknown): Promise<Uint8Array<ArrayBuffer>> {
  return archiveOf({ name, content: JSON.stringify(document) });
}

/** The caller and the ports of a restore; by default the admin, on a machine that takes all. */
export interface Restoring {
  readonly by?: string;
  readonly device?: Device;
  readonly scheduler?: CooperativeScheduler;
}

/** Restores tags, as `Tags` of the REST action names them, of a packed archive. */
export function restoredFrom(
  console: Console,
  archive: Uint8Array<ArrayBuffer>,
  tags: string,
  { by = "admin", device = noDevice, scheduler = withoutPauses }: Restoring = {},
): Promise<RestoreOutcome | Refusal> {
  const asked = readTags(tags) as AskedTags;
  return restoreBackup(console, [archive], {
    tags: asked,
    by: actor(console, by),
    device,
    scheduler,
  });
}

/** The files of a tar that this service packed. */
export function filesIn(tar: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (at: number, length: number) =>
    new TextDecoder().decode(tar.subarray(at, at + length)).replace(/\0.*/, "");
  for (let at = 0; tar[at] !== 0;) {
    const size = parseInt(text(at + 124, 12), 8);
    files.set(text(at, 100), tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** A backup, packed. */
export async function packed(
  state: State,
  tags: readonly Tag[],
  { time = 0, scheduler = withoutPauses }: Partial<PackOptions> = {},
): Promise<Uint8Array<ArrayBuffer>> {
  return await collected(granted(await pack(state, tags, { time, scheduler })));
}

/** Reads a packed archive, as `readBackup` does; by default every certificate will do. */
export function read(
  archive: Uint8Array<ArrayBuffer>,
  tags: readonly Tag[],
  options: Partial<ReadBackupOptions> = {},
): Promise<BackupContents | Refusal> {
  const { siteKey, scheduler = withoutPauses } = options;
  const { checkCertificate } = { ...noDevice, ...options };
  return readBackup([archive], tags, { siteKey, checkCertificate, scheduler });
}

/** The events of a restore, with the events that stage its snapshots. */
export function eventsOf(state: State, contents: BackupContents): readonly ConsoleEvent[] {
  const staged = Object.values(contents.snapshots).flat()
    .map((snapshot): ConsoleEvent => ({ type: "snapshotstaged", restore: "test", snapshot }));
  const restored = restoring(state, contents, "test");
  const decision = granted(restored(staged.reduce(reduce, state), {}, stillPorts));
  return [...staged, ...decision.events];
}
