/**
 * `faderd copy save`: a whole copy of a console, whether its service runs or not. It has the parts
 * that a backup lacks: levels, labels, pictures and lists, the identity, the site key and the audit
 * trail.
 *
 * @module
 */
import { createTarPacker } from "modern-tar";
import { inspectLog } from "../../runtimes/deno/log.ts";
import type { Damage } from "../../storage/contract.ts";
import { type FileSystem, readFully } from "../../storage/file-system.ts";
import { parseFileName } from "../../storage/format.ts";
import type { Recovered } from "../../storage/recovery.ts";
import { STANDARD_OUTPUT, writeArchive } from "../archive-file.ts";
import type { Given } from "../command-line.ts";
import { configurationSource, ownConfigurationOf } from "../configuration-file.ts";
import { expectFolder, onMedium } from "../data-folder.ts";
import { Failure } from "../failure.ts";
import { type Place, placeOf } from "../place.ts";
import { readBytes } from "../named-file.ts";
import { print } from "../print.ts";
import { recipientOf } from "../seal/keys.ts";
import { VERSION } from "../version.ts";
import { CONFIGURATION, ORIGIN, originFile, type Sum, SUMS, sumsFile } from "./contents.ts";
import { hashed } from "./hashed.ts";
import { openFiles } from "./opened-files.ts";

/** Number of bytes of a file that are read at a time. */
const PIECE_BYTES = 64 * 1024;

/** Fixed metadata of each file. */
const FIXED = { mtime: new Date(0), uid: 0, gid: 0, mode: 0o600 } as const;

/** A file of a copy, read as it is written. */
interface CopiedFile {
  readonly name: string;
  readonly size: number;
  readonly pieces: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/**
 * Writes a copy to a file, which only its owner can read, or to standard output; throws {@link
 * Failure} if the folder holds no console, as that of an unmounted disk; if the log is damaged,
 * because the copy would be damaged, too; and if compactions have shortened or overwritten the
 * checkpoint while it was read.
 */
export function copySave(given: Given): Promise<void> {
  const place = placeOf(given);
  return onMedium(place.data, save(given, place));
}

async function save(given: Given, place: Place): Promise<void> {
  const recipient = recipientOf(given);
  const data = expectFolder(place.data);
  const source = configurationSource(place.config, data);
  const { device } = await ownConfigurationOf(place.config, data);
  const configuration = source === undefined ? undefined : readBytes(source);
  await using opened = await openFiles(data);
  const { recovery: { records, damage }, files: inUse } = await inspectWritten(data, opened.files);
  if (damage !== undefined) {
    const { file, offset, reason } = damage;
    const advice = "copy the folder as it is, then see faderd log repair --help";
    throw new Failure(`${data}/${file} is damaged at offset ${offset}: ${reason}; ${advice}`);
  }
  if (records === 0) throw new Failure(`${data} holds no console`);
  const { name, serial } = device;
  const origin = { faderd: VERSION, time: new Date().toISOString(), device: name, serial, records };
  async function* files(): AsyncGenerator<CopiedFile> {
    yield whole(ORIGIN, originFile(origin));
    if (configuration !== undefined) yield whole(CONFIGURATION, configuration);
    for (const { name, file, size } of opened.all) {
      const used = inUse.find((one) => one.name === name);
      // Files that another file of the log has replaced are not needed.
      if (used === undefined && parseFileName(name) !== undefined) continue;
      // Behind the last record there is nothing, or reserved space, which is cut off at the end of
      // a segment.
      const bytes = Math.min(size, used?.bytes ?? size);
      yield { name, size: bytes, pieces: piecesOf(file, bytes, data) };
      // A compaction from now on may shorten this checkpoint, and the next one writes into it.
      if (parseFileName(name)?.kind === "checkpoint") await expectUnchanged(data, opened.files);
    }
  }
  const packed = packedTar(summed(files()));
  const path = given.get("file")!;
  await writeArchive(path, packed, recipient);
  if (path === STANDARD_OUTPUT) return;
  const how = recipient === undefined ? "not encrypted" : "encrypted";
  print(`${path}: ${name} (serial number ${serial}), ${records} records, ${how}`);
}

async function expectUnchanged(data: string, files: FileSystem): Promise<void> {
  if ((await inspectWritten(data, files)).recovery.damage !== undefined) throw compacted(data);
}

function compacted(data: string): Failure {
  return new Failure(`the log in ${data} was compacted while it was copied: save it again`);
}

/**
 * Inspects a log that a service may be writing to. A record that is written while it is read looks
 * like damage, but not a second time: only damage that is found twice at the same place counts.
 */
async function inspectWritten(data: string, files: FileSystem): Promise<Recovered> {
  let before: Damage | undefined;
  for (;;) {
    const found = await inspectLog(data, undefined, files);
    const { damage } = found.recovery;
    if (damage === undefined) return found;
    if (damage.file === before?.file && damage.offset === before.offset) return found;
    before = damage;
  }
}

function whole(name: string, bytes: Uint8Array<ArrayBuffer>): CopiedFile {
  async function* pieces() {
    yield bytes;
  }
  return { name, size: bytes.length, pieces: pieces() };
}

async function* piecesOf(
  file: { read(buffer: Uint8Array, offset: number): Promise<number> },
  size: number,
  data: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < size;) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size - at));
    const read = await readFully(file, piece, at);
    if (read.length < piece.length) throw compacted(data);
    yield piece;
    at += piece.length;
  }
}

/** Yields the files, and behind them the file with the sums of all of them. */
async function* summed(files: AsyncIterable<CopiedFile>): AsyncGenerator<CopiedFile> {
  const sums: Sum[] = [];
  for await (const { name, size, pieces } of files) {
    const note = (bytes: number, sha256: string) => void sums.push({ name, bytes, sha256 });
    yield { name, size, pieces: hashed(pieces, note) };
  }
  yield whole(SUMS, sumsFile(sums));
}

/** Packs files as they are read. */
function packedTar(files: AsyncIterable<CopiedFile>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { readable, controller } = createTarPacker();
  const pack = async () => {
    for await (const { name, size, pieces } of files) {
      const writer = controller.add({ ...FIXED, name, size }).getWriter();
      for await (const piece of pieces) await writer.write(piece);
      await writer.close();
    }
    controller.finalize();
  };
  pack().catch((fault) => controller.error(fault));
  return readable.pipeThrough(new CompressionStream("gzip"));
}
