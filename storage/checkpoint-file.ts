/**
 * Writing the present state into a file of its own, to stand for all segments before it.
 *
 * @module
 */
import type { CooperativeScheduler, RecordBytes } from "../core/ports.ts";
import { closing, type FileSystem } from "./file-system.ts";
import { encodeHeader, fileName, type Origin, recordsFrom } from "./format.ts";
import { pieceBytes, storedBytes, writeHeader, writePiece } from "./records.ts";
import type { LogFile } from "./log-medium.ts";
import type { Reserve } from "./reserve.ts";

/**
 * The scheduler is asked again after this many records. Gathering them takes well under a millisecond;
 * on a console that is always busy, smaller steps would make the checkpoint take for ever.
 */
const recordsInAStep = 16;

/**
 * So much is written before it is synced, in bytes. A medium that is slow to sync is asked seldom,
 * and one that is slow to write does not hold up an append for long meanwhile.
 */
const syncBytes = 8 * pieceBytes;

/** What a checkpoint is written with. */
export interface CheckpointOptions {
  readonly files: FileSystem;
  readonly folder: string;
  readonly scheduler: CooperativeScheduler;
  readonly reserve: Reserve;
}

/**
 * Writes `records` as the checkpoint of `origin` before segment `sequence`, in the space of the
 * reserve, which is no longer there then. It is complete and on the medium before it gets its name,
 * so a power cut leaves the old log or the new one. The scheduler says how long records are gathered at
 * a stretch; appends come between the pieces that are written. Rejects when the medium fails or
 * when `cancelled` says so; then the old log stands.
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
      let end = recordsFrom;
      let synced = end;
      for await (const piece of piecesOf(records, scheduler)) {
        if (cancelled()) throw new Error("the log is being closed");
        end = await writePiece({ file, salt: origin.salt, end }, piece);
        if (end - synced < syncBytes) continue;
        await file.sync();
        synced = end;
      }
      await writeHeader(file, encodeHeader({ ...identity, end }));
      await file.sync();
      return end;
    } catch (fault) {
      // Where the reserve was too short, the medium may lack just what was written behind it.
      await file.truncate(reserve.bytes);
      throw fault;
    }
  });
  await reserve.become(name);
  try {
    await files.syncFolder(folder);
  } catch (fault) {
    // It is never written to again: a power cut could bring its name back, as that of the newest.
    await files.remove(`${folder}/${name}`).catch(() => {});
    throw fault;
  }
  return { name, ...identity, bytes };
}

async function* piecesOf(
  records: Iterable<RecordBytes>,
  scheduler: CooperativeScheduler,
): AsyncGenerator<RecordBytes[]> {
  let piece: RecordBytes[] = [];
  let bytes = 0;
  for (const record of records) {
    if (piece.length % recordsInAStep === 0) await scheduler.pause();
    if (piece.length > 0 && bytes + storedBytes(record) > pieceBytes) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(record);
    bytes += storedBytes(record);
  }
  if (piece.length > 0) yield piece;
}
