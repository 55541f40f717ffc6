/**
 * Texts in a data folder that only its owner may read. A text is complete at any moment: the old
 * one or the new one.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { writeFully } from "../../storage/file-system.ts";
import { isMissing } from "../../storage/storage-error.ts";
import { nodeFileSystem as files } from "./file-system.ts";

/** Reads a text, without the white space around it; undefined where there is no such file. */
export async function readPrivate(folder: string, name: string): Promise<string | undefined> {
  try {
    return (await readFile(`${folder}/${name}`, "utf8")).trim();
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw fault;
  }
}

/** Replaces a file by a line; resolves once it is on the medium. */
export async function keepPrivate(folder: string, name: string, line: string): Promise<void> {
  const path = `${folder}/${name}`;
  const unfinished = `${path}.new`;
  // A file left over from before may have another mode, or be a link.
  await files.remove(unfinished);
  const file = await files.create(unfinished);
  try {
    await writeFully(file, new TextEncoder().encode(`${line}\n`), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.rename(unfinished, path);
  await files.syncFolder(folder);
}
