/**
 * The private texts of a data folder, by Node's file system.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { writeFully } from "../../storage/file-system.ts";
import { isMissing } from "../../storage/storage-error.ts";
import type { FolderTexts } from "../folder-texts.ts";
import { nodeFileSystem as files } from "./file-system.ts";

/** Returns the private texts of a folder; `say` takes lines for people about them. */
export function folderTexts(folder: string, say: (line: string) => void): FolderTexts {
  return {
    folder,
    async read(name) {
      try {
        return (await readFile(`${folder}/${name}`, "utf8")).trim();
      } catch (fault) {
        if (isMissing(fault)) return undefined;
        throw fault;
      }
    },
    async replace(name, line) {
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
    },
    say,
    failure: (reason) => new Error(reason),
  };
}
