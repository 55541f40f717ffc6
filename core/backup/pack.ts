/**
 * Packs a backup: an ordinary gzip-compressed tar, made while it is read, from a state that nobody
 * alters. So it is the picture of one moment however long its download takes, with one file of it in
 * memory at a time.
 *
 * @module
 */
import { createTarPacker } from "modern-tar";
import { crc32 } from "../crc32.ts";
import { type Refusal, refuse } from "../errors.ts";
import { BACKUP_FILES } from "../limits.ts";
import { settingsOf, type SettingsTag } from "../settings/settings.ts";
import type { State } from "../state.ts";
import { jsonFile } from "./json-file.ts";
import { BACKUP_FORMAT, MANIFEST, type Manifest, type Sum, SUMS } from "./manifest.ts";
import { type FileParts, snapshotFiles } from "./snapshot-file.ts";
import { isSnapshotTag, snapshotsOf, snapshotTagOf } from "./snapshot-tag.ts";
import { type Tag, tagTable } from "./tags.ts";
import { pemOf } from "./tls.ts";
import { sealUsers } from "./user-database.ts";
import { withoutOwnParts } from "./own-parts.ts";

/** What packing asks of the world. */
export interface PackOptions {
  /** Wall time of the backup, in ms since 1970. */
  readonly time: number;
  /** Resolves after one turn of the event loop: it is asked for about every millisecond of work. */
  turn(): Promise<void>;
}

interface ArchiveFile {
  readonly name: string;
  readonly parts: FileParts;
}

/** The most bytes that are compressed in one piece: half a millisecond of work. */
const PIECE_BYTES = 64 * 1024;

/** So that the same state gives the same bytes. */
const FIXED = { mtime: new Date(0), uid: 0, gid: 0, mode: 0o600 } as const;

/**
 * A backup of some tags of a state, as bytes. Refused (11): more files than a restore takes.
 *
 * @example
 * ```ts
 * const packed = pack(console.state, ["TLS", "USERS"], { time: Date.now(), turn });
 * if (!isRefusal(packed)) return new Response(packed);
 * ```
 */
export function pack(
  state: State,
  tags: readonly Tag[],
  options: PackOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> | Refusal {
  const snapshots = [...state.snapshots.values()].filter((snapshot) => {
    const tag = snapshotTagOf(snapshot);
    return tag !== undefined && tags.includes(tag);
  });
  if (snapshots.length > BACKUP_FILES - tags.length) {
    return refuse("limitReached", `a backup has at most ${BACKUP_FILES} files`);
  }
  const { readable, writable } = new CompressionStream("gzip");
  // It fails when the stream is cancelled: then nobody is there to be told.
  compress(inPieces(tarOf(filesOf(state, tags, options))), writable, options.turn).catch(() => {});
  return readable;
}

async function* filesOf(
  state: State,
  tags: readonly Tag[],
  { time, turn }: PackOptions,
): AsyncGenerator<ArchiveFile> {
  const { name, firmware } = state.configuration.device;
  const manifest: Manifest = {
    format: BACKUP_FORMAT,
    device: name,
    firmware,
    time: new Date(time).toISOString(),
    tags,
  };
  yield { name: MANIFEST, parts: [jsonFile(manifest)] };
  const sums: Sum[] = [];
  for (const tag of tags) {
    for await (const file of filesOfTag(state, tag, turn)) {
      const bytes = file.parts.reduce((sum, part) => sum + part.length, 0);
      const sum = file.parts.reduce((before, part) => crc32(part, before), 0);
      sums.push({ name: file.name, bytes, crc32: sum });
      yield file;
    }
  }
  yield { name: SUMS, parts: [jsonFile(sums)] };
}

async function* filesOfTag(
  { configuration, snapshots, users, tls, settings }: State,
  tag: Tag,
  turn: () => Promise<void>,
): AsyncGenerator<ArchiveFile> {
  const { siteKey, written } = configuration;
  const { file } = tagTable[tag];
  if (tag === "FWCONFIG") return yield { name: file, parts: [jsonFile(withoutOwnParts(written))] };
  if (tag === "TLS") return yield { name: file, parts: [pemOf(tls)] };
  if (tag === "USERS") return yield { name: file, parts: [sealUsers(users.values(), siteKey)] };
  if (!isSnapshotTag(tag)) {
    return yield { name: file, parts: [jsonFile(settingsOf(settings, tag as SettingsTag))] };
  }
  const ofTag = snapshotsOf(snapshots, tag);
  const files = await snapshotFiles(siteKey, turn);
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

/** The bytes of a tar: of each file, only once the one before is out of the packer's hands. */
async function* tarOf(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const reader = readable.getReader();
  for await (const { name, parts } of files) {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const writer = controller.add({ ...FIXED, name, size }).getWriter();
    for (const part of parts) writer.write(part);
    const written = writer.close();
    for (let left = BLOCK + padded(size); left > 0;) {
      const { value } = await reader.read();
      left -= value!.length;
      yield value!;
    }
    await written;
  }
  controller.finalize();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

const BLOCK = 512;

function padded(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK;
}

/** The same bytes in pieces of one size, the last one shorter; each is good until the next. */
async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + PIECE_BYTES - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < PIECE_BYTES) continue;
      yield piece;
      filled = 0;
    }
  }
  yield piece.subarray(0, filled);
}

/** Compresses a piece when its output is read, with a turn of the event loop after each. */
async function compress(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  into: WritableStream<BufferSource>,
  turn: () => Promise<void>,
): Promise<void> {
  const writer = into.getWriter();
  try {
    for await (const piece of pieces) {
      await writer.write(piece);
      await turn();
    }
    await writer.close();
  } catch (fault) {
    await writer.abort(fault);
  }
}
