/**
 * The files of a data folder, as they are at one moment, while a service may go on.
 *
 * All of them are opened, and then the folder is read again to see whether the list is still the
 * same: the compaction of a log removes files, but open files can still be read. The log is
 * append-only, so the open files have the state that a power cut at that moment would have left.
 * Only the checkpoint does not last: a compaction makes it the reserve, and may shorten it at once;
 * the next compaction writes into it.
 *
 * @module
 */
import { denoFileSystem } from "../../runtimes/deno/file-system.ts";
import type { FileSystem, OpenFile } from "../../storage/file-system.ts";
import { parseFileName } from "../../storage/format.ts";
import { Failure } from "../failure.ts";
import { BESIDE } from "./contents.ts";

/** Maximum number of attempts to open all files before a compaction removes some. */
const TRIES = 20;

/** An open file, and the number of bytes of it to copy. */
export interface OpenedFile {
  readonly name: string;
  readonly file: OpenFile;
  readonly size: number;
}

/** The files of a data folder, open. */
export interface OpenedFiles extends AsyncDisposable {
  /** The files, in the order of their names. */
  readonly all: readonly OpenedFile[];
  /** A file system with these files only, for the reader of the log. */
  readonly files: FileSystem;
}

/** Opens the files of a folder; throws {@link Failure} if they change too often for that. */
export async function openFiles(folder: string): Promise<OpenedFiles> {
  for (let tries = 0; tries < TRIES; tries++) {
    const all: OpenedFile[] = [];
    try {
      const names = await namesIn(folder);
      for (const name of names) all.push(await opened(folder, name));
      if (String(await namesIn(folder)) === String(names)) return openedFiles(all);
    } catch (fault) {
      if (!(fault instanceof Deno.errors.NotFound)) {
        await closeAll(all);
        throw fault;
      }
    }
    await closeAll(all);
  }
  throw new Failure(`${folder} changes all the time: its log is compacted again and again`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await denoFileSystem.list(folder);
  return names.filter((name) => parseFileName(name) !== undefined || BESIDE.includes(name)).sort();
}

async function opened(folder: string, name: string): Promise<OpenedFile> {
  const file = await denoFileSystem.openToRead(`${folder}/${name}`);
  try {
    return { name, file, size: await file.size() };
  } catch (fault) {
    await file.close();
    throw fault;
  }
}

function openedFiles(all: readonly OpenedFile[]): OpenedFiles {
  return {
    all,
    files: { ...denoFileSystem, ...readingAlone(all) },
    [Symbol.asyncDispose]: () => closeAll(all),
  };
}

/** The operations by which a log is read. */
function readingAlone(
  all: readonly OpenedFile[],
): Pick<FileSystem, "list" | "openToRead" | "lock"> {
  return {
    list: () => Promise.resolve(all.map(({ name }) => name)),
    openToRead(path) {
      const found = all.find(({ name }) => path.endsWith(`/${name}`));
      if (found === undefined) return Promise.reject(new Deno.errors.NotFound(path));
      return Promise.resolve({
        ...found.file,
        read: (buffer, offset) =>
          found.file.read(buffer.subarray(0, Math.max(0, found.size - offset)), offset),
        size: () => Promise.resolve(found.size),
        close: () => Promise.resolve(),
      });
    },
    // The service may hold the lock of the folder: nothing is written.
    lock: () => Promise.resolve({ release() {} }),
  };
}

async function closeAll(all: readonly OpenedFile[]): Promise<void> {
  await Promise.all(all.map(({ file }) => file.close()));
}
