/**
 * The real file system. Files are opened with `O_DSYNC`: a write is durable in one asynchronous
 * call, where write and then sync would be two (two thirds of the rate, `docs/storage.md`). Deno's
 * own `Deno.open` has no such flag, so `node:fs` opens them.
 *
 * @module
 */
import { constants, type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import type { File, FileSystem } from "./file-system.ts";

const durable = constants.O_RDWR | constants.O_DSYNC;

function fileOf(handle: FileHandle): File {
  return {
    read: async (buffer, offset) => (await handle.read(buffer, 0, buffer.length, offset)).bytesRead,
    write: async (bytes, offset) =>
      (await handle.write(bytes, 0, bytes.length, offset)).bytesWritten,
    truncate: (bytes) => handle.truncate(bytes),
    sync: () => handle.sync(),
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  };
}

/** The file system of this machine, through Deno. */
export const denoFileSystem: FileSystem = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  list: (folder) => readdir(folder),
  async create(path) {
    return fileOf(await open(path, durable | constants.O_CREAT | constants.O_TRUNC, 0o600));
  },
  async open(path) {
    return fileOf(await open(path, durable));
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  async syncFolder(path) {
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  async lock(path) {
    const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
    if (await file.tryLock(true)) return () => file.close();
    file.close();
    return undefined;
  },
};
