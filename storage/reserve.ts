/**
 * The reserve is a file that holds the space of the next checkpoint, so that a log can be compacted
 * on a medium that is full. The checkpoint is written into it, and the one that this replaces
 * becomes the reserve of the next: nothing is written twice.
 *
 * @module
 */
import type { Random } from "../core/ports.ts";
import { closing, type Folder, type OpenFile, writeFully } from "./file-system.ts";
import { isFull, isMissing } from "./storage-error.ts";

/** Its name in the folder of the log. It is made only once the first segment is on the medium. */
export const reserveName = "reserve";

/** As much is made at a time as a source of randomness gives in one call, in bytes. */
const noiseBytes = 64 * 1024;

/** The space that a log holds for its next checkpoint. */
export type Reserve = Awaited<ReturnType<typeof openReserve>>;

/** Opens the reserve of a log, which need not be there. */
export async function openReserve({ files, folder, random }: Folder & { readonly random: Random }) {
  const path = `${folder}/${reserveName}`;
  const measure = (name: string) =>
    closing(files.openToRead(`${folder}/${name}`), (file) => file.size());
  // What cannot be measured is made anew.
  let bytes = (await files.list(folder)).includes(reserveName)
    ? await measure(reserveName).catch(() => 0)
    : 0;

  /** Makes it at most `most` bytes long, which gives the rest back to the medium. */
  async function cut(most: number): Promise<void> {
    if (most >= bytes) return;
    await closing(open(), async (file) => {
      const left = Math.min(most, bytes);
      await file.truncate(left);
      bytes = left;
    });
  }

  /** Opens it to be written from its start on. One that somebody has deleted is made anew. */
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
    /** How long it is; 0 when it is not there. */
    get bytes(): number {
      return bytes;
    },
    /**
     * Makes it at least `wanted` bytes long, of bytes that no medium can compress. When that fails,
     * it is as long as before.
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
     * Does work; where the medium has no room for it, gives `yielded` bytes back to the medium, if
     * it has them, and does the work again.
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
    /** Gives it the name of another file, in the place of any that has it: then there is none. */
    async become(name: string): Promise<void> {
      await files.rename(path, `${folder}/${name}`);
      bytes = 0;
    },
    /** Has another file of the folder as the reserve; returns whether the medium let it. */
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
