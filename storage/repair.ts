/**
 * Making a damaged log writable again: what `faderd log repair` does. What is good becomes the log;
 * whatever was damaged is kept beside it under names that end in `.damaged`.
 *
 * @module
 */
import type { Damage, Recovery } from "./contract.ts";
import { copyFile } from "./copy-file.ts";
import { denoFileSystem } from "./deno/file-system.ts";
import { closing, type FileSystem } from "./file-system.ts";
import { lockFolder } from "./folder.ts";
import { encodeHeader, fileName, newForm, parseFileName, recordsFrom } from "./format.ts";
import { pieceBytes, type Spot, storedBytes, writeHeader, writePiece } from "./records.ts";
import { type Gap, recover, type Recovered } from "./recovery.ts";
import { readAround } from "./salvage.ts";

/** What to do at damage. */
export interface RepairOptions {
  /**
   * Go on behind each damage with the next record that is good, instead of ending the log there.
   * What comes after may build on what is missing, so that is for people to choose.
   */
  readonly skip?: boolean;
  readonly files?: FileSystem;
}

/** What a repair did. */
export interface Repair {
  /** The log as it was found. Without `damage` nothing was done. */
  readonly found: Recovery;
  /** How many records the log has now. */
  readonly records: number;
  /** What was passed over to reach the records behind it. */
  readonly skipped: readonly Gap[];
  /** Names of the files that were put aside, or copied before they were replaced. */
  readonly kept: readonly string[];
}

/**
 * Writes the good records of the log in `folder` into a checkpoint of their own: those before the
 * first damage or, with `skip`, all. A power cut in the middle leaves a log that can be repaired
 * again, or the repaired one. Rejects as {@link openLog} does.
 */
export async function repairLog(folder: string, options: RepairOptions = {}): Promise<Repair> {
  const { skip = false, files = denoFileSystem } = options;
  const release = await lockFolder(files, folder);
  try {
    const { recovery: found } = await recover(files, folder, () => {});
    if (found.damage === undefined) {
      // What a repair before this one renamed may be seen, and not on the medium yet.
      await files.syncFolder(folder);
      return { found, records: found.records, skipped: [], kept: [] };
    }
    const skipped: Gap[] = [];
    const note = skip ? (gap: Gap) => void skipped.push(gap) : undefined;
    const read = await recover(files, folder, () => {}, note);
    const kept = await keep(files, folder, read, [found.damage, ...skipped]);
    await replace(files, folder, read.files.at(-1)?.bytes ?? 0, skip);
    return { found, records: read.recovery.records, skipped, kept };
  } finally {
    release();
  }
}

/**
 * Copies what is damaged, and puts aside what stands behind the end of the log; answers the names
 * of what was kept.
 */
async function keep(
  files: FileSystem,
  folder: string,
  read: Recovered,
  damages: readonly Damage[],
): Promise<string[]> {
  const names = (await files.list(folder)).sort();
  const used = read.files.filter(({ bytes }) => bytes > 0);
  const damaged = damages.map(({ file }) => file);
  const kept: string[] = [];
  for (const { name } of used) {
    if (!damaged.includes(name)) continue;
    const copy = freeName(names, name);
    await copyFile(files, `${folder}/${name}`, `${folder}/${copy}`, { read: readAround });
    kept.push(copy);
  }
  await files.syncFolder(folder);
  const others = [...read.stale, ...used.map(({ name }) => name)];
  const behind = names.filter((name) =>
    parseFileName(name) !== undefined && !others.includes(name)
  );
  // One by one, and a segment without a header first, else the last first: so what is left, should
  // power fail, is damaged where it was before.
  const first = behind.filter((name) => damaged.includes(name) && name.endsWith(".log"));
  for (const name of new Set([...first, ...behind.reverse()])) {
    const aside = freeName(names, name);
    await files.rename(`${folder}/${name}`, `${folder}/${aside}`);
    await files.syncFolder(folder);
    kept.push(aside);
  }
  return kept;
}

function freeName(taken: readonly string[], name: string): string {
  let free = `${name}.damaged`;
  for (let count = 2; taken.includes(free); count++) free = `${name}.damaged-${count}`;
  return free;
}

/**
 * Puts a checkpoint of all good records in the place of what is in the folder, whose last records
 * end at `end`.
 */
async function replace(
  files: FileSystem,
  folder: string,
  end: number,
  skip: boolean,
): Promise<void> {
  const old = (await files.list(folder)).filter((name) => parseFileName(name) !== undefined);
  const sequence = 1 + Math.max(0, ...old.map((name) => parseFileName(name)!.sequence));
  const path = `${folder}/${fileName({ kind: "checkpoint", sequence })}`;
  await closing(files.create(`${path}.new`), async (file) => {
    const form = newForm();
    const end = await writeGood({ file, salt: form.salt, end: recordsFrom }, files, folder, skip);
    await writeHeader(file, encodeHeader({ kind: "checkpoint", sequence, end, ...form }));
    await file.sync();
  });
  // A checkpoint is followed by a segment, be it an empty one.
  const header = { kind: "segment", sequence, end, ...newForm() } as const;
  await closing(files.create(`${folder}/${fileName(header)}`), async (file) => {
    await writeHeader(file, encodeHeader(header));
    await file.sync();
  });
  await files.syncFolder(folder);
  await files.rename(`${path}.new`, path);
  await files.syncFolder(folder);
  for (const name of old) await files.remove(`${folder}/${name}`);
  await files.syncFolder(folder);
}

/** Writes the good records of a folder behind `spot.end`; resolves with the offset behind them. */
async function writeGood(
  spot: Spot,
  files: FileSystem,
  folder: string,
  skip: boolean,
): Promise<number> {
  let { end } = spot;
  let piece: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    if (piece.length > 0) end = await writePiece({ ...spot, end }, piece);
    piece = [];
    bytes = 0;
  };
  await recover(files, folder, async (payload) => {
    if (bytes + storedBytes(payload) > pieceBytes) await flush();
    piece.push(payload.slice());
    bytes += storedBytes(payload);
  }, skip ? () => {} : undefined);
  await flush();
  return end;
}
