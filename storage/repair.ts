/**
 * Making a damaged log writable again: what `faderd log repair` does. What is proven good - all
 * records before the damage - becomes the log; whatever else there was is kept beside it under
 * names that end in `.damaged`.
 *
 * @module
 */
import type { Recovery } from "./contract.ts";
import { denoFileSystem } from "./deno/file-system.ts";
import { copyFile } from "./copy-file.ts";
import { closing, type FileSystem, type OpenFile, writeFully } from "./file-system.ts";
import { lockFolder } from "./folder.ts";
import { encodeHeader, fileName, type Header, headerBytes, parseFileName } from "./format.ts";
import { type LogFile, recover } from "./recovery.ts";

/** What a repair did. */
export interface Repair {
  /** The log as it was found. Without `damage` nothing was done. */
  readonly found: Recovery;
  /** Names of the files that were put aside, or copied before they were cut. */
  readonly kept: readonly string[];
}

/**
 * Cuts the log in `folder` at the first damage. A power cut in the middle leaves a log that can
 * be repaired again. Rejects as {@link openLog} does.
 */
export async function repairLog(folder: string, files = denoFileSystem): Promise<Repair> {
  const release = await lockFolder(files, folder);
  try {
    const { recovery: found, files: read } = await recover(files, folder, () => {});
    const kept = found.damage === undefined
      ? []
      : await cutAt(files, folder, found.damage.file, read);
    return { found, kept };
  } finally {
    release();
  }
}

/** Ends the log in the file `damaged`; answers the names of what was kept. */
async function cutAt(
  files: FileSystem,
  folder: string,
  damaged: string,
  read: readonly LogFile[],
): Promise<string[]> {
  const good = read.filter(({ name, bytes }) => name !== damaged || bytes >= headerBytes);
  const partly = good.find(({ name }) => name === damaged);
  const first = read[0]?.sequence ?? 1;
  const names = await files.list(folder);
  const behind = names.sort().reverse().filter((name) => {
    const sequence = parseFileName(name)?.sequence;
    return sequence !== undefined && sequence >= first && !good.some((one) => one.name === name);
  });
  const kept: string[] = [];
  if (partly !== undefined) {
    kept.push(freeName(names, partly.name));
    await copyFile(files, `${folder}/${partly.name}`, `${folder}/${kept[0]}`);
    await files.syncFolder(folder);
  }
  for (const name of behind) {
    const aside = freeName(names, name);
    await files.rename(`${folder}/${name}`, `${folder}/${aside}`);
    kept.push(aside);
  }
  await files.syncFolder(folder);
  if (partly !== undefined) {
    // It is replaced, as the header of a checkpoint, which says where it ends, could tear in place.
    const path = `${folder}/${partly.name}`;
    await copyFile(files, path, `${path}.new`, partly.bytes);
    if (partly.kind === "checkpoint") {
      await writeHeader(files.open(`${path}.new`), { ...partly, end: partly.bytes });
    }
    await files.rename(`${path}.new`, path);
  }
  const [checkpoint, ...others] = good;
  if (checkpoint?.kind === "checkpoint" && others.length === 0) {
    // A checkpoint is followed by a segment, be it an empty one.
    const header = { kind: "segment", sequence: checkpoint.sequence, end: 0 } as const;
    await writeHeader(files.create(`${folder}/${fileName(header)}`), header);
  }
  await files.syncFolder(folder);
  return kept;
}

function freeName(taken: readonly string[], name: string): string {
  let free = `${name}.damaged`;
  for (let count = 2; taken.includes(free); count++) free = `${name}.damaged-${count}`;
  return free;
}

function writeHeader(opening: Promise<OpenFile>, header: Header): Promise<void> {
  return closing(opening, async (file) => {
    await writeFully(file, encodeHeader(header), 0);
    await file.sync();
  });
}
