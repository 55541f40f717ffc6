/**
 * The file system of Node and Bun. A sync is `fdatasync`, which includes the length of the file but
 * not its modification time, which would cost a second write each time.
 *
 * @module
 */
import { fstatSync, statSync, writeSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import type { FileSystem, OpenFile } from "../../storage/file-system.ts";
import { lockFolder } from "./folder-lock.ts";

/**
 * Maximum size in bytes of a write that is a blocking call: it only hands the bytes to the page
 * cache, which takes less time than another thread.
 */
const BLOCKING_BYTES = 16 * 1024;

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

function fileOf(handle: FileHandle): OpenFile {
  const { dev, ino } = fstatSync(handle.fd);
  return {
    async read(buffer, offset) {
      return (await handle.read(buffer, 0, buffer.length, offset)).bytesRead;
    },
    async write(bytes, offset) {
      if (bytes.length <= BLOCKING_BYTES) {
        return writeSync(handle.fd, bytes, 0, bytes.length, offset);
      }
      return (await handle.write(bytes, 0, bytes.length, offset)).bytesWritten;
    },
    truncate: (bytes) => handle.truncate(bytes),
    sync: () => handle.datasync(),
    size: async () => (await handle.stat()).size,
    isAt(path) {
      try {
        const there = statSync(path);
        return there.ino === ino && there.dev === dev;
      } catch (fault) {
        if (["ENOENT", "ENOTDIR"].includes((fault as { readonly code: string }).code)) return false;
        throw fault;
      }
    },
    close: () => handle.close(),
  };
}

/** The file system of this machine. */
export const nodeFileSystem: FileSystem = {
  makeFolder,
  list: (folder) => readdir(folder),
  create: async (path) => fileOf(await open(path, "w+", PRIVATE_FILE)),
  openToRead: async (path) => fileOf(await open(path, "r")),
  open: async (path) => fileOf(await open(path, "r+")),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
  lock: lockFolder,
};

async function makeFolder(path: string): Promise<void> {
  if (path === "" || await isFolder(path)) return;
  const parent = path.replace(/\/*[^/]+\/*$/, "") || (path.startsWith("/") ? "/" : ".");
  await makeFolder(parent);
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  await syncFolder(parent);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (fault) {
    if ((fault as { readonly code?: string }).code === "ENOENT") return false;
    throw fault;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
