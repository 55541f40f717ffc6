/**
 * Writing the present state into a file of its own, to stand for all segments before it.
 *
 * @module
 */
import type { Pacer, RecordBytes } from "../core/ports.ts";
import { closing } from "./file-system.ts";
import { encodeHeader, fileName, newForm, recordsFrom } from "./format.ts";
import { pieceBytes, storedBytes, writeHeader, writePiece } from "./records.ts";
import type { LogFile } from "./recovery.ts";
import type { TailOptions } from "./tail.ts";

/**
 * The pacer is asked again after this many records. Gathering them takes well under a millisecond;
 * on a console that is always busy, smaller steps would make the checkpoint take for ever.
 */
const recordsInAStep = 16;

/**
 * Writes `records` as the checkpoint before segment `sequence`. It is complete and on the medium
 * before it gets its name, so a power cut leaves the old log or the new one. The pacer says how
 * long records are gathered at a stretch; appends come between the pieces that are written. Rejects
 * when the medium fails or when `cancelled` says so; then the old log stands.
 */
export async function writeCheckpoint(
  { files, folder, pacer }: Pick<TailOptions, "files" | "folder"> & { readonly pacer: Pacer },
  sequence: number,
  records: Iterable<RecordBytes>,
  cancelled: () => boolean,
): Promise<LogFile> {
  const name = fileName({ kind: "checkpoint", sequence });
  const path = `${folder}/${name}`;
  const form = newForm();
  try {
    const bytes = await closing(files.create(`${path}.new`), async (file) => {
      let end = recordsFrom;
      for await (const piece of piecesOf(records, pacer)) {
        if (cancelled()) throw new Error("the log is being closed");
        end = await writePiece({ file, salt: form.salt, end }, piece);
        await file.sync();
      }
      await writeHeader(file, encodeHeader({ kind: "checkpoint", sequence, end, ...form }));
      await file.sync();
      return end;
    });
    await files.rename(`${path}.new`, path);
    await files.syncFolder(folder);
    return { name, kind: "checkpoint", sequence, ...form, bytes };
  } catch (fault) {
    // The medium may lack just the space of this file. What cannot be removed is so at the next
    // start.
    await Promise.allSettled([files.remove(`${path}.new`), files.remove(path)]);
    throw fault;
  }
}

async function* piecesOf(
  records: Iterable<RecordBytes>,
  pacer: Pacer,
): AsyncGenerator<RecordBytes[]> {
  let piece: RecordBytes[] = [];
  let bytes = 0;
  for (const record of records) {
    if (piece.length % recordsInAStep === 0) await pacer.pause();
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
