/**
 * Unpacks an untrusted archive: as a stream, with every length bounded before it is read, so that
 * it costs no more memory than its largest file.
 *
 * @module
 */
import type { CooperativeScheduler } from "../ports.ts";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { crc32 } from "../crc32.ts";
import { isRefusal, reasonOf, type Refusal } from "../errors.ts";
import {
  BACKUP_BYTES,
  BACKUP_FILE_BYTES,
  BACKUP_FILES,
  BACKUP_JSON_VALUES,
  BACKUP_MANIFEST_BYTES,
  BACKUP_PADDING_BYTES,
} from "../limits.ts";
import { parseUtf8 } from "../json.ts";
import { shown } from "../shown.ts";
import {
  badArchive,
  MANIFEST,
  type Manifest,
  readManifest,
  readSums,
  type Sum,
  SUMS,
  sumsRefusal,
} from "./manifest.ts";
import { streamOf } from "./stream-of.ts";
import { lackRefusal, type Tag, tagOfFile, tagTable } from "./tags.ts";

const TLS_FILE = tagTable.TLS.file;

/** The bytes of an archive, in chunks of any size. */
export type Packed = AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>;

/** A wanted file of an archive. */
export interface UnpackedFile {
  readonly tag: Tag;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The wanted tags of an archive. */
export interface WantedTags {
  readonly wanted: readonly Tag[];
  /** The wanted tags that the archive may lack; by default none. */
  readonly mayLack?: readonly Tag[] | undefined;
}

/** Takes a wanted file; a refusal ends the unpacking. */
export type TakeFile = (file: UnpackedFile) => Promise<Refusal | undefined>;

/**
 * Maximum number of packed bytes that are unpacked in one step. They may expand to a thousand times
 * their size, in half a millisecond.
 */
const STEP_BYTES = 512;

/**
 * The same limit after a step that expanded more than {@linkcode EXPANSION} times, as no true
 * backup does: large pieces stay in memory until garbage is collected.
 */
const SHORT_STEP_BYTES = 8;
const EXPANSION = 64;

const BAD_GZIP = "it is damaged, cut off, or followed by other bytes";

/** The progress of reading an archive. */
interface Progress {
  /** Number of unpacked bytes since the end of the last file; negative within a file. */
  outsideFiles: number;
  /** Number of unpacked bytes of the last step. */
  lastStep: number;
}

/**
 * Hands the files of the `wanted` tags of a packed archive to `take`; of the others only the
 * checksums are verified. Refused (3), naming `Tags`: a wanted tag that it lacks; naming `file`:
 * bytes that are not a complete gzip-compressed tar, an entry that is not a plain file of a backup,
 * a repeated, missing, too large, altered or misplaced file, anything after the end. A lone
 * `tls.pem`, which scripts that renew certificates make, needs neither manifest nor sums if no
 * other tag is wanted.
 */
export async function unpack(
  packed: Packed,
  wanted: WantedTags,
  take: TakeFile,
  scheduler: CooperativeScheduler,
): Promise<Refusal | undefined> {
  const progress: Progress = { outsideFiles: 0, lastStep: 0 };
  const entries = streamOf(inPieces(packed, progress))
    .pipeThrough(new DecompressionStream("gzip"))
    .pipeThrough(bounded(progress, scheduler))
    .pipeThrough(createTarDecoder({ strict: true }))
    .getReader();
  try {
    const refusal = await unpackEntries(entries, wanted, take, progress, scheduler);
    if (refusal !== undefined) entries.cancel(refusal).catch(() => {});
    return refusal;
  } catch (fault) {
    entries.cancel(fault).catch(() => {});
    // The messages of runtimes about gzip are about their own buffers.
    const reason = fault instanceof TypeError ? BAD_GZIP : reasonOf(fault);
    return badArchive(`expected a whole gzip-compressed tar: ${reason}`);
  }
}

async function unpackEntries(
  entries: ReadableStreamDefaultReader<ParsedTarEntry>,
  { wanted, mayLack = [] }: WantedTags,
  take: TakeFile,
  progress: Progress,
  scheduler: CooperativeScheduler,
): Promise<Refusal | undefined> {
  const found = new Map<string, Sum>();
  let manifest: Manifest | undefined;
  let last: string | undefined;
  for (let read = await entries.read(); !read.done; read = await entries.read()) {
    const entry = read.value;
    const { name, size, type } = entry.header;
    progress.outsideFiles = -size;
    if (type !== "file") return badArchive(`${shown(name)} is not a plain file but a ${type}`);
    if (last !== undefined) return badArchive(`${shown(name)} stands after ${last}`);
    let refusal: Refusal | undefined;
    if (manifest === undefined && name !== MANIFEST) {
      refusal = loneTlsRefusal(entry, wanted) ?? await takeFile(TLS_FILE, entry, { tags: ["TLS"] });
      last = `${TLS_FILE}, which without ${MANIFEST} has to be the only file`;
    } else if (manifest === undefined) {
      const bytes = await bytesOf(entry, BACKUP_MANIFEST_BYTES);
      const stated = isRefusal(bytes) ? bytes : readManifest(parseUtf8(bytes, BACKUP_JSON_VALUES));
      if (isRefusal(stated)) return stated;
      manifest = stated;
      refusal = lackRefusal(wanted, manifest.tags, mayLack);
    } else if (name === SUMS) {
      const bytes = await bytesOf(entry, BACKUP_FILE_BYTES);
      const sums = isRefusal(bytes) ? bytes : await readSums(bytes, scheduler);
      refusal = isRefusal(sums) ? sums : sumsRefusal(manifest, sums, found);
      last = SUMS;
    } else {
      refusal = await takeFile(name, entry, manifest);
    }
    if (refusal !== undefined) return refusal;
  }
  if (last !== undefined) return undefined;
  return badArchive(`${manifest === undefined ? MANIFEST : SUMS} is missing`);

  async function takeFile(
    name: string,
    { header: { size }, body }: ParsedTarEntry,
    { tags }: Pick<Manifest, "tags">,
  ): Promise<Refusal | undefined> {
    const tag = tagOfFile(name);
    if (tag === undefined) return badArchive(`${shown(name)} is not a file of a backup`);
    if (found.has(name)) return badArchive(`${name} is there twice`);
    if (!tags.includes(tag)) return badArchive(`${name} is there, but ${MANIFEST} has no ${tag}`);
    if (found.size >= BACKUP_FILES) return badArchive(`expected at most ${BACKUP_FILES} files`);
    const most = tagTable[tag].bytes;
    if (size > most) return badArchive(`${name}: expected at most ${most} bytes, got ${size}`);
    if (size === 0 && tag !== "TLS") return badArchive(`${name} is empty`);
    const bytes = wanted.includes(tag) ? new Uint8Array(size) : undefined;
    let at = 0;
    let sum = 0;
    for await (const chunk of body) {
      bytes?.set(chunk, at);
      sum = crc32(chunk, sum);
      at += chunk.length;
    }
    found.set(name, { name, bytes: size, crc32: sum });
    return bytes && await take({ tag, name, bytes });
  }
}

function loneTlsRefusal(
  { header: { name, size } }: ParsedTarEntry,
  wanted: readonly Tag[],
): Refusal | undefined {
  // `tar czf x.tgz ./tls.pem` names it so.
  if (name.replace(/^\.\//, "") !== TLS_FILE || wanted.some((tag) => tag !== "TLS")) {
    const sentence = `the first file is not ${MANIFEST}`;
    return badArchive(`${sentence}: only ${TLS_FILE} may come without it, alone, for the tag TLS`);
  }
  // Without a manifest that says that there is no certificate, an empty file is a script's mistake.
  return size === 0 ? badArchive(`${TLS_FILE} is empty`) : undefined;
}

async function bytesOf(
  { header: { name, size }, body }: ParsedTarEntry,
  most: number,
): Promise<Uint8Array | Refusal> {
  if (size > most) return badArchive(`${name}: expected at most ${most} bytes, got ${size}`);
  return new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
}

async function* inPieces(
  packed: Packed,
  progress: Progress,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let step = STEP_BYTES;
  for await (const chunk of packed) {
    for (let at = 0; at < chunk.length; at += step) {
      step = progress.lastStep > EXPANSION * step ? SHORT_STEP_BYTES : STEP_BYTES;
      yield chunk.subarray(at, at + step);
    }
  }
}

/**
 * Fails if a backup has too many bytes, or too many that belong to no file; pauses after each
 * chunk.
 */
function bounded(
  progress: Progress,
  scheduler: CooperativeScheduler,
): TransformStream<Uint8Array, Uint8Array> {
  let through = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      progress.lastStep = chunk.length;
      through += chunk.length;
      if (through > BACKUP_BYTES) throw new Error(`it unpacks to more than ${BACKUP_BYTES} bytes`);
      progress.outsideFiles += chunk.length;
      if (progress.outsideFiles > BACKUP_PADDING_BYTES) {
        throw new Error(`over ${BACKUP_PADDING_BYTES} bytes of it belong to no file`);
      }
      controller.enqueue(chunk);
      await scheduler.pause();
    },
  });
}
