/**
 * Makes recovered records safe to append to.
 *
 * @module
 */
import type { Quarantined } from "./contract.ts";
import { copyFile } from "./copy-file.ts";
import { closing, type Folder, type OpenFile, readFully } from "./file-system.ts";
import { closedBytes, writeAfter } from "./format.ts";
import type { LogFile, LogMedium } from "./log-medium.ts";
import { isMissing } from "./storage-error.ts";

/** Files to remove or to quarantine before anything is written. */
export interface Leftovers {
  /** Names of files, in the order to remove them. */
  readonly stale: ReadonlySet<string>;
  /** The file that is to be kept under another name. */
  readonly quarantined: Quarantined | undefined;
}

/**
 * Removes stale files, once the names of the files that replace them are on the medium, and
 * quarantines the file to be kept. They occupy space and names that the next steps may need.
 */
export async function removeLeftovers(
  { files, folder }: Folder,
  { stale, quarantined }: Leftovers,
): Promise<void> {
  if (stale.size === 0 && quarantined === undefined) return;
  await files.syncFolder(folder);
  for (const name of stale) await files.remove(`${folder}/${name}`);
  if (quarantined === undefined) return;
  const { file, keptAs } = quarantined;
  await files.rename(`${folder}/${file}`, `${folder}/${keptAs}`).catch((fault) => {
    // An earlier attempt has renamed it, and failed afterwards.
    if (!isMissing(fault)) throw fault;
  });
}

/**
 * Makes sure that the recovered records are on the medium, and opens the last segment, if there is
 * one.
 */
export async function openLast(medium: LogMedium): Promise<OpenFile | undefined> {
  const { files, folder, chain } = medium;
  const last = chain.at(-1);
  if (last !== undefined) await settle(medium, last);
  // One of the removed files may be an unfinished segment that states an older end of the segment
  // before it: no power cut may bring it back.
  await files.syncFolder(folder);
  return last?.kind === "segment" ? await files.open(`${folder}/${last.name}`) : undefined;
}

/**
 * After a kill, the bytes read may not be on the medium yet, and after a failed sync a later
 * successful one proves nothing, even in another process. So a segment that was not closed is
 * replaced by a copy up to the end of its records.
 */
async function settle({ files, folder }: Folder, last: LogFile): Promise<void> {
  const path = `${folder}/${last.name}`;
  if (await closing(files.openToRead(path), (file) => isClosed(file, last.bytes))) return;
  await copyFile(files, path, `${path}.new`, { bytes: last.bytes });
  await files.rename(`${path}.new`, path);
}

/** Says whether a closed segment ends at `end`; bytes that were cut off may still follow it. */
async function isClosed(file: OpenFile, end: number): Promise<boolean> {
  const length = writeAfter(end) + closedBytes;
  if (await file.size() !== length) return false;
  const rest = await readFully(file, new Uint8Array(length - end), end);
  return rest.every((byte) => byte === 0);
}
