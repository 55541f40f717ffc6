/**
 * The real file system, through Deno.
 *
 * A write is followed by `fdatasync`. One call would do with `O_DSYNC`, but only `node:fs` can ask
 * for that, and to load it costs an idle service 11 MB; on a flash medium, where a sync takes
 * milliseconds, the second hop is not to be seen (docs/storage.md).
 *
 * @module
 */
import type { FileSystem, OpenFile } from "../file-system.ts";

function fileOf(file: Deno.FsFile): OpenFile {
  return {
    async read(buffer, offset) {
      await file.seek(offset, Deno.SeekMode.Start);
      return await file.read(buffer) ?? 0;
    },
    async write(bytes, offset) {
      await file.seek(offset, Deno.SeekMode.Start);
      const written = await file.write(bytes);
      await file.syncData();
      return written;
    },
    truncate: (bytes) => file.truncate(bytes),
    sync: () => file.sync(),
    size: async () => (await file.stat()).size,
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
  makeFolder: (path) => Deno.mkdir(path, { recursive: true, mode: PRIVATE_FOLDER }),
  list: (folder) => Array.fromAsync(Deno.readDir(folder), (entry) => entry.name),
  async create(path) {
    const options = { ...readWrite, create: true, truncate: true, mode: PRIVATE_FILE };
    return fileOf(await Deno.open(path, options));
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
  async syncFolder(path) {
    using folder = await Deno.open(path);
    await folder.sync();
  },
  async lock(path) {
    const file = await Deno.open(path, { ...readWrite, create: true, mode: PRIVATE_FILE });
    const release = () => {
      // A program that is just being started has a copy of the open file for a moment. If the file
      // were only closed, that copy would keep it locked.
      file.unlockSync();
      file.close();
    };
    if (await file.tryLock(true)) return release;
    file.close();
    return undefined;
  },
};
