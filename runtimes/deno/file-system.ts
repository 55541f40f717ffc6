/**
 * The file system of Deno. A sync is `fdatasync`, which includes the length of the file but not its
 * modification time, which would cost a second write each time.
 *
 * @module
 */
import type { FileSystem, Lock, OpenFile } from "../../storage/file-system.ts";

/**
 * Maximum size in bytes of a write that is a blocking call: such a call takes 15 µs, and an
 * asynchronous one takes 80 µs of another thread. It only hands the bytes to the page cache: with
 * another program filling the medium, so that syncs took up to 480 ms, 99.9 % of such writes took
 * under 0.4 ms. The maximum is more than the size of 64 changes that share a write.
 */
const BLOCKING_BYTES = 16 * 1024;

function fileOf(file: Deno.FsFile): OpenFile {
  const { dev, ino } = file.statSync();
  return {
    async read(buffer, offset) {
      file.seekSync(offset, Deno.SeekMode.Start);
      return await file.read(buffer) ?? 0;
    },
    async write(bytes, offset) {
      file.seekSync(offset, Deno.SeekMode.Start);
      return bytes.length <= BLOCKING_BYTES ? file.writeSync(bytes) : await file.write(bytes);
    },
    truncate: (bytes) => file.truncate(bytes),
    sync: () => file.syncData(),
    size: async () => (await file.stat()).size,
    isAt(path) {
      try {
        // The blocking call takes 5 µs, an asynchronous one 80 µs.
        const there = Deno.statSync(path);
        return there.ino === ino && there.dev === dev;
      } catch (fault) {
        if (fault instanceof Deno.errors.NotFound) return false;
        if (fault instanceof Deno.errors.NotADirectory) return false;
        throw fault;
      }
    },
    close() {
      file.close();
      return Promise.resolve();
    },
  };
}

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const readWrite: Deno.OpenOptions = { read: true, write: true };

/** The file system of this machine. */
export const denoFileSystem: FileSystem = {
  makeFolder,
  list: (folder) => Array.fromAsync(Deno.readDir(folder), (entry) => entry.name),
  async create(path) {
    const options = { ...readWrite, create: true, truncate: true, mode: PRIVATE_FILE };
    return fileOf(await Deno.open(path, options));
  },
  async openToRead(path) {
    return fileOf(await Deno.open(path));
  },
  async open(path) {
    return fileOf(await Deno.open(path, readWrite));
  },
  rename: (from, to) => Deno.rename(from, to),
  async remove(path) {
    try {
      await Deno.remove(path);
    } catch (fault) {
      if (!(fault instanceof Deno.errors.NotFound)) throw fault;
    }
  },
  syncFolder,
  lock,
};

async function makeFolder(path: string): Promise<void> {
  if (path === "" || await isFolder(path)) return;
  const parent = path.replace(/\/*[^/]+\/*$/, "") || (path.startsWith("/") ? "/" : ".");
  await makeFolder(parent);
  await Deno.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  await syncFolder(parent);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (fault) {
    if (fault instanceof Deno.errors.NotFound) return false;
    throw fault;
  }
}

async function syncFolder(path: string): Promise<void> {
  using folder = await Deno.open(path);
  await folder.sync();
}

async function lock(path: string): Promise<Lock | undefined> {
  const file = await Deno.open(path);
  if (!await file.tryLock(true)) return void file.close();
  return {
    release() {
      // A process that is just being started holds a copy of the open file for a moment. Closing
      // the file alone would leave it locked by that copy.
      file.unlockSync();
      file.close();
    },
  };
}
