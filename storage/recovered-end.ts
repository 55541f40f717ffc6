/**
 * Making what was recovered safe to write behind.
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
 * Removes stale files, once the names of what is in their place are on the medium, and quarantines
 * what is to be kept. They take room and names that what follows may need.
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
    // A try before this one did it, and failed then.
    if (!isMissing(fault)) throw fault;
  });
}

/** Makes sure that what was recovered is on the medium, and opens its last segment, if there is one. */
export async function openLast(medium: LogMedium): Promise<OpenFile | undefined> {
  const { files, folder, chain } = medium;
  const last = chain.at(-1);
  if (last !== undefined) await settle(medium, last);
  // Of what was removed, one may be a segment that was never finished, and says an older end of the
  // one before it: no power cut may bring it back.
  await files.syncFolder(folder);
  return last?.kind === "segment" ? await files.open(`${folder}/${last.name}`) : undefined;
}

/**
 * After a kill, what was read may not be on the medium yet, and a sync that fails once proves
 * nothing when it succeeds later, which may be in another process. So a segment that was not closed
 * is put in place anew, up to where its records end.
 */
async function settle({ files, folder }: Folder, last: LogFile): Promise<void> {
  const path = `${folder}/${last.name}`;
  if (await closing(files.openToRead(path), (file) => isClosed(file, last.bytes))) return;
  await copyFile(files, path, `${path}.new`, { bytes: last.bytes });
  await files.rename(`${path}.new`, path);
}

/** Whether a closed segment ends at `end`; bytes that were cut off may still follow it. */
async function isClosed(file: OpenFile, end: number): Promise<boolean> {
  const length = writeAfter(end) + closedBytes;
  if (await file.size() !== length) return false;
  const rest = await readFully(file, new Uint8Array(length - end), end);
  return rest.every((byte) => byte === 0);
}
