/**
 * Writes the present state into a file of its own, which replaces all segments before it.
 *
 * @module
 */
import type { CooperativeScheduler, RecordBytes } from "../core/ports.ts";
import { closing, type Folder, type OpenFile } from "./file-system.ts";
import { fileName, type Header, type Origin, recordsFrom } from "./format.ts";
import { pieceBytes, storedBytes, writeHeader, writePiece } from "./records.ts";
import type { LogFile } from "./log-medium.ts";
import type { Reserve } from "./reserve.ts";

/**
 * Number of records after which the scheduler is asked again. Gathering them takes well under a
 * millisecond; on a console that is always busy, smaller steps would make the checkpoint take for
 * ever.
 */
const recordsInAStep = 16;

/**
 * Number of bytes of a checkpoint after which it is synced: large, as each sync may be slow, and
 * small enough that a medium that writes slowly does not delay an append for long.
 */
const syncBytes = 8 * pieceBytes;

/** The options and ports of writing a checkpoint. */
export interface CheckpointOptions extends Folder {
  readonly scheduler: CooperativeScheduler;
  readonly reserve: Reserve;
}

/**
 * Writes `records` as the checkpoint of `origin` before segment `sequence`, in the space of the
 * reserve, which does not exist afterwards. It is complete and on the medium before it gets its
 * name, so a power cut leaves the old log or the new one. The scheduler says how long records are
 * gathered at a stretch; appends may come between the writes of pieces. Rejects when the medium
 * fails or when `cancelled` says so; then the old log stands.
 */
export async function writeCheckpoint(
  { files, folder, scheduler, reserve }: CheckpointOptions,
  { sequence, ...origin }: Origin & { readonly sequence: number },
  records: Iterable<RecordBytes>,
  cancelled: () => boolean,
): Promise<LogFile> {
  const identity = { kind: "checkpoint", sequence, ...origin } as const;
  const name = fileName(identity);
  const bytes = await closing(reserve.open(), async (file) => {
    try {
      const writer = createCheckpointWriter(file, origin.salt);
      let synced = recordsFrom;
      let count = 0;
      for (const record of records) {
        if (count++ % recordsInAStep === 0) await scheduler.pause();
        if (cancelled()) throw new Error("the log is being closed");
        const flushed = writer.add(record);
        if (flushed === undefined) continue;
        await flushed;
        if (writer.end - synced < syncBytes) continue;
        await file.sync();
        synced = writer.end;
      }
      return await writer.finish(identity);
    } catch (fault) {
      // If the reserve was too short, the medium may lack just the space written beyond it.
      await file.truncate(reserve.bytes);
      throw fault;
    }
  });
  await reserve.become(name);
  try {
    await files.syncFolder(folder);
  } catch (fault) {
    // It is never written to again: a power cut could bring its name back, as the newest
    // checkpoint.
    await files.remove(`${folder}/${name}`).catch(() => {});
    throw fault;
  }
  return { name, ...identity, bytes };
}

/**
 * Writes a checkpoint into a file: records, gathered in pieces of up to 64 KiB, and the header
 * last.
 */
export function createCheckpointWriter(file: OpenFile, salt: number) {
  let end = recordsFrom;
  let piece: RecordBytes[] = [];
  let bytes = 0;

  async function flush(): Promise<void> {
    const gathered = piece;
    piece = [];
    bytes = 0;
    if (gathered.length > 0) end = await writePiece({ file, salt, end }, gathered);
  }

  return {
    /** The end of the written records, as an offset in bytes. */
    get end() {
      return end;
    },
    /**
     * Takes a record. If it does not fit into the present piece, resolves once that piece is
     * written.
     */
    add(record: RecordBytes): Promise<void> | undefined {
      const length = storedBytes(record);
      const flushed = bytes > 0 && bytes + length > pieceBytes ? flush() : undefined;
      piece.push(record);
      bytes += length;
      return flushed;
    },
    /**
     * Writes the last piece and the header; resolves with the end of the records, as an offset in
     * bytes, once the checkpoint is durable.
     */
    async finish(header: Omit<Header, "end">): Promise<number> {
      await flush();
      await writeHeader(file, { ...header, end });
      await file.sync();
      return end;
    },
  };
}
