/**
 * Writing the present state into a file of its own, to stand for all segments before it.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { type FileSystem, writeFully } from "./file-system.ts";
import { encodeHeader, fileName, headerBytes } from "./format.ts";
import { storedBytes } from "./record-size.ts";
import { pieceBytes, writeRecords } from "./records.ts";
import type { LogFile } from "./recovery.ts";

/** How long records are gathered from the state before the event loop gets its turn, in ms. */
const sliceMs = 1;

/** Gathers records to the size of a piece, or to what can be had in one slice of time. */
function* slices(records: Iterable<RecordBytes>): Iterable<RecordBytes[]> {
  let slice: RecordBytes[] = [];
  let bytes = 0;
  let began = performance.now();
  for (const record of records) {
    slice.push(record);
    bytes += storedBytes(record);
    if (bytes < pieceBytes && performance.now() - began < sliceMs) continue;
    yield slice;
    slice = [];
    bytes = 0;
    began = performance.now();
  }
  yield slice;
}

/**
 * Writes `records` as the checkpoint before segment `sequence`. It is complete and on the medium
 * before it gets its name, so a power cut leaves the old log or the new one. Every slice waits for
 * the medium, which paces it and lets appends in between. Rejects when the medium fails or when
 * `cancelled` says so; then the old log stands.
 */
export async function writeCheckpoint(
  files: FileSystem,
  folder: string,
  sequence: number,
  records: Iterable<RecordBytes>,
  cancelled: () => boolean,
): Promise<LogFile> {
  const name = fileName({ kind: "checkpoint", sequence });
  const path = `${folder}/${name}`;
  try {
    const bytes = await writeFile(files, `${path}.new`, sequence, records, cancelled);
    await files.rename(`${path}.new`, path);
    await files.syncFolder(folder);
    return { name, kind: "checkpoint", sequence, bytes };
  } catch (fault) {
    // Its space may be what is lacking. What stays here is removed at the next start.
    await Promise.allSettled([files.remove(`${path}.new`), files.remove(path)]);
    throw fault;
  }
}

async function writeFile(
  files: FileSystem,
  path: string,
  sequence: number,
  records: Iterable<RecordBytes>,
  cancelled: () => boolean,
): Promise<number> {
  const file = await files.create(path);
  try {
    let end = headerBytes;
    for (const slice of slices(records)) {
      if (cancelled()) throw new Error("the log is being closed");
      end = await writeRecords(file, end, slice);
    }
    await writeFully(file, encodeHeader({ kind: "checkpoint", sequence, end }), 0);
    return end;
  } finally {
    await file.close();
  }
}
