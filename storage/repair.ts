/**
 * Making a damaged log writable again: what `faderd log repair` does. What is proven good - all
 * records before the damage - becomes the log; whatever else there was is kept beside it under
 * names that end in `.damaged`.
 *
 * @module
 */
import type { Recovery } from "./contract.ts";
import { denoFileSystem } from "./deno-file-system.ts";
import { type File, type FileSystem, readFully, writeFully } from "./file-system.ts";
import { encodeHeader, fileName, headerBytes, parseFileName } from "./format.ts";
import { lockFolder } from "./lock.ts";
import { type LogFile, recover } from "./recovery.ts";

/** What a repair did. */
export interface Repair {
  /** The log as it was found. Without `damage` nothing was done. */
  readonly found: Recovery;
  /** Names of the files that were put aside, or copied before they were cut. */
  readonly kept: readonly string[];
}

const copyBytes = 1024 * 1024;

/**
 * Cuts the log in `directory` at the first damage. A power cut in the middle leaves a log that can
 * be repaired again. Rejects as {@link openLog} does.
 */
export async function repairLog(
  directory: string,
  files: FileSystem = denoFileSystem,
): Promise<Repair> {
  const release = await lockFolder(files, directory);
  try {
    const { recovery: found, files: read } = await recover(files, directory, () => {});
    const { damage } = found;
    if (damage === undefined) return { found, kept: [] };
    const whole = read.filter(({ name }) => name !== damage.file);
    const partly = read.find(({ name, bytes }) => name === damage.file && bytes >= headerBytes);
    const good = partly === undefined ? whole : [...whole, partly];
    const kept = await cutAfter(files, directory, good, partly, read);
    return { found, kept };
  } finally {
    release();
  }
}

async function cutAfter(
  files: FileSystem,
  folder: string,
  good: readonly LogFile[],
  partly: LogFile | undefined,
  read: readonly LogFile[],
): Promise<string[]> {
  const names = await files.list(folder);
  const first = read[0]?.sequence ?? 1;
  const behind = names.sort().reverse().filter((name) => {
    const sequence = parseFileName(name)?.sequence;
    return sequence !== undefined && sequence >= first && !good.some((one) => one.name === name);
  });
  const kept: string[] = [];
  if (partly !== undefined) {
    kept.push(freeName(names, partly.name));
    await copy(files, `${folder}/${partly.name}`, `${folder}/${kept[0]}`);
    await files.syncFolder(folder);
  }
  for (const name of behind) {
    const aside = freeName(names, name);
    await files.rename(`${folder}/${name}`, `${folder}/${aside}`);
    kept.push(aside);
  }
  await files.syncFolder(folder);
  if (partly !== undefined) {
    const path = `${folder}/${partly.name}`;
    if (partly.kind === "segment") await cutSegment(files, path, partly.bytes);
    else await cutCheckpoint(files, path, partly);
  }
  const [checkpoint, ...others] = good;
  if (checkpoint?.kind === "checkpoint" && others.length === 0) {
    await beginAnew(files, folder, checkpoint.sequence);
  }
  await files.syncFolder(folder);
  return kept;
}

function freeName(taken: readonly string[], name: string): string {
  let free = `${name}.damaged`;
  for (let count = 2; taken.includes(free); count++) free = `${name}.damaged-${count}`;
  return free;
}

/** Copies the first `bytes` bytes of a file, or all of it. */
async function copy(files: FileSystem, from: string, to: string, bytes = Infinity): Promise<void> {
  const source = await files.open(from);
  const target = await files.create(to);
  for (let at = 0; at < bytes;) {
    const buffer = new Uint8Array(Math.min(copyBytes, bytes - at));
    const piece = await readFully(source, buffer, at);
    await writeFully(target, piece, at);
    at += piece.length;
    if (piece.length < buffer.length) break;
  }
  await source.close();
  await target.close();
}

/** Ends a segment at its last good record. */
async function cutSegment(files: FileSystem, path: string, bytes: number): Promise<void> {
  const file = await files.open(path);
  await file.truncate(bytes);
  await file.sync();
  await file.close();
}

/** Ends a checkpoint there. Its header says where, and written over in place it could tear. */
async function cutCheckpoint(files: FileSystem, path: string, { sequence, bytes }: LogFile) {
  await copy(files, path, `${path}.new`, bytes);
  const file = await files.open(`${path}.new`);
  await writeFully(file, encodeHeader({ kind: "checkpoint", sequence, end: bytes }), 0);
  await file.close();
  await files.rename(`${path}.new`, path);
}

/** A checkpoint is followed by a segment, be it an empty one. */
async function beginAnew(files: FileSystem, folder: string, sequence: number): Promise<void> {
  const header = { kind: "segment", sequence, end: 0 } as const;
  const file: File = await files.create(`${folder}/${fileName(header)}`);
  await writeFully(file, encodeHeader(header), 0);
  await file.close();
}
