/**
 * One process for a folder at a time.
 *
 * @module
 */
import { StorageError } from "./errors.ts";
import type { FileSystem } from "./file-system.ts";

/**
 * Takes the folder for this process alone; the answer gives it back, and so does the end of the
 * process. Rejects with a {@link StorageError} when another process has it.
 */
export async function lockFolder(files: FileSystem, folder: string): Promise<() => void> {
  const release = await files.lock(`${folder}/lock`);
  if (release !== undefined) return release;
  throw new StorageError("inUse", `the data folder ${folder} is in use by another process`);
}
