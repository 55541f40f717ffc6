/**
 * The reserve is a file that holds the space of the next checkpoint, so that a log can be compacted
 * on a medium that is full. The checkpoint is written into it, and the checkpoint that this
 * replaces becomes the next reserve: nothing is written twice.
 *
 * @module
 */
import type { Random } from "../core/ports.ts";
import { closing, type Folder, type OpenFile, writeFully } from "./file-system.ts";
import { isFull, isMissing } from "./storage-error.ts";

/**
 * The name of the reserve in the folder of the log. It is made only once the first segment is on
 * the medium.
 */
export const reserveName = "reserve";

/** Number of bytes that are written at a time, which a source of randomness returns in one call. */
const noiseBytes = 64 * 1024;

/** The space that a log holds for its next checkpoint. */
export type Reserve = Awaited<ReturnType<typeof openReserve>>;

/** Opens the reserve of a log, which need not exist. */
export async function openReserve({ files, folder, random }: Folder & { readonly random: Random }) {
  const path = `${folder}/${reserveName}`;
  const measure = (name: string) =>
    closing(files.openToRead(`${folder}/${name}`), (file) => file.size());
  // A reserve whose size cannot be read is made again.
  let bytes = (await files.list(folder)).includes(reserveName)
    ? await measure(reserveName).catch(() => 0)
    : 0;

  /** Shortens the reserve to at most `most` bytes, which releases the rest to the medium. */
  async function cut(most: number): Promise<void> {
    if (most >= bytes) return;
    await closing(open(), async (file) => {
      const left = Math.min(most, bytes);
      await file.truncate(left);
      bytes = left;
    });
  }

  /** Opens the reserve for writing from its start. If it was deleted, it is made again. */
  async function open(): Promise<OpenFile> {
    if (bytes > 0) {
      try {
        return await files.open(path);
      } catch (fault) {
        if (!isMissing(fault)) throw fault;
        bytes = 0;
      }
    }
    return await files.create(path);
  }

  return {
    /** The size of the reserve in bytes; 0 if it does not exist. */
    get bytes(): number {
      return bytes;
    },
    /**
     * Lengthens the reserve to at least `wanted` bytes, with bytes that no medium can compress. If
     * that fails, its size stays.
     */
    async lengthen(wanted: number): Promise<void> {
      if (wanted <= bytes) return;
      await closing(open(), async (file) => {
        const before = bytes;
        try {
          while (bytes < wanted) {
            const noise = random.bytes(Math.min(noiseBytes, wanted - bytes));
            await writeFully(file, noise, bytes);
            bytes += noise.length;
          }
        } catch (fault) {
          bytes = before;
          await file.truncate(before);
          throw fault;
        }
      });
    },
    cut,
    /**
     * Does work; if the medium lacks space for it, releases `yielded` bytes, if the reserve has
     * them, and does the work again.
     */
    async yielding<Result>(yielded: number, work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (fault) {
        if (!isFull(fault) || bytes < yielded) throw fault;
        await cut(bytes - yielded);
        return await work();
      }
    },
    open,
    /** Renames the reserve to another file, which it replaces; then there is no reserve. */
    async become(name: string): Promise<void> {
      await files.rename(path, `${folder}/${name}`);
      bytes = 0;
    },
    /** Makes another file of the folder the reserve; returns whether the medium allowed that. */
    async take(name: string): Promise<boolean> {
      try {
        const length = await measure(name);
        await files.rename(`${folder}/${name}`, path);
        bytes = length;
        return true;
      } catch {
        return false;
      }
    },
  };
}
