/**
 * The real file system. Files are opened with `O_DSYNC`: a write is durable in one asynchronous
 * call, where a write and a sync would be two (`docs/storage.md`). `Deno.open` has no such flag, so
 * `node:fs` opens them; its callbacks come sooner than the promises of `node:fs/promises`.
 *
 * @module
 */
import { close, constants, fstat, fsync, ftruncate, open, read, type Stats, write } from "node:fs";
import type { File, FileSystem } from "./file-system.ts";

const durable = constants.O_RDWR | constants.O_DSYNC;

function call<T = void>(action: (done: (fault: Error | null, value?: T) => void) => void) {
  return new Promise<T>((resolve, reject) => {
    action((fault, value) => fault ? reject(fault) : resolve(value as T));
  });
}

async function openFile(path: string, flags: number): Promise<File> {
  const file = await call<number>((done) => open(path, flags, 0o600, done));
  return {
    read: (buffer, offset) => call((done) => read(file, buffer, 0, buffer.length, offset, done)),
    write: (bytes, offset) => call((done) => write(file, bytes, 0, bytes.length, offset, done)),
    truncate: (bytes) => call((done) => ftruncate(file, bytes, done)),
    sync: () => call((done) => fsync(file, done)),
    size: async () => (await call<Stats>((done) => fstat(file, done))).size,
    close: () => call((done) => close(file, done)),
  };
}

/** The file system of this machine, through Deno. */
export const denoFileSystem: FileSystem = {
  makeFolder: (path) => Deno.mkdir(path, { recursive: true, mode: 0o700 }),
  list: async (folder) => (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
  create: (path) => openFile(path, durable | constants.O_CREAT | constants.O_TRUNC),
  open: (path) => openFile(path, durable),
  rename: Deno.rename,
  async remove(path) {
    try {
      await Deno.remove(path);
    } catch (fault) {
      if (!(fault instanceof Deno.errors.NotFound)) throw fault;
    }
  },
  async syncFolder(path) {
    const folder = await Deno.open(path);
    try {
      await folder.sync();
    } finally {
      folder.close();
    }
  },
  async lock(path) {
    const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
    if (await file.tryLock(true)) return () => file.close();
    file.close();
    return undefined;
  },
};
