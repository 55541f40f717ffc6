/**
 * The folder of the backups of a fleet on a disk, for the owner alone: `archives/{content}.tgz`,
 * `consoles/{id}.json`, and `unfinished/`.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { BackupFiles } from "../fleet/backups/backup-files.ts";
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import { Failure } from "./failure.ts";
import { replaceText } from "./private-file.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

const ARCHIVE = /^([0-9a-f]{64})\.tgz$/;
const LIST = /^([0-9a-f]{32})\.json$/;

/** Opens the folder, which is made if it does not exist. Throws {@link Failure}. */
export async function openBackupFolder(folder: string): Promise<BackupFiles> {
  const at = {
    archive: `${folder}/archives`,
    list: `${folder}/consoles`,
    unfinished: `${folder}/unfinished`,
  };
  try {
    for (const one of Object.values(at)) {
      await Deno.mkdir(one, { recursive: true, mode: PRIVATE_FOLDER });
    }
  } catch (fault) {
    throw new Failure(`backup.folder: ${folder}: ${reasonOf(fault)}`);
  }
  const pathOf = (kind: "unfinished" | "archive", name: string) =>
    kind === "archive" ? `${at.archive}/${name}.tgz` : `${at.unfinished}/${name}`;
  /** The names of the unfinished files that this process receives or reads back. */
  const own = new Set<string>();

  return {
    async clear() {
      for await (const { name } of Deno.readDir(at.unfinished)) {
        if (own.has(name)) continue;
        await Deno.remove(`${at.unfinished}/${name}`).catch(unlessMissing);
      }
    },
    async receive(content, most) {
      const name = crypto.randomUUID();
      const path = pathOf("unfinished", name);
      own.add(name);
      try {
        using file = await Deno.open(path, { write: true, createNew: true, mode: PRIVATE_FILE });
        let bytes = 0;
        for await (const piece of content) {
          bytes += piece.length;
          if (bytes > most) throw new Error(`it has more than ${most} bytes`);
          for (let from = 0; from < piece.length;) from += await file.write(piece.subarray(from));
        }
        await file.sync();
        return { name, bytes };
      } catch (fault) {
        own.delete(name);
        await Deno.remove(path).catch(() => {});
        throw fault;
      }
    },
    async keep(unfinished, content) {
      await Deno.rename(pathOf("unfinished", unfinished), pathOf("archive", content));
      await denoFileSystem.syncFolder(at.archive);
    },
    open: async (kind, name) => (await Deno.open(pathOf(kind, name))).readable,
    remove(kind, name) {
      if (kind === "unfinished") own.delete(name);
      return Deno.remove(pathOf(kind, name)).catch(unlessMissing);
    },
    archives: () => namesIn(at.archive, ARCHIVE),
    async lists() {
      const texts = new Map<string, string>();
      for (const id of await namesIn(at.list, LIST)) {
        texts.set(id, await Deno.readTextFile(`${at.list}/${id}.json`));
      }
      return texts;
    },
    writeList: (console, text) => replaceText(`${at.list}/${console}.json`, `${text}\n`),
  };
}

/**
 * Returns the text that matches the group of a pattern, for each matching name of a file in a
 * folder.
 */
async function namesIn(folder: string, form: RegExp): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const [, inner] = form.exec(name) ?? [];
    if (inner !== undefined) names.push(inner);
  }
  return names;
}

function unlessMissing(fault: unknown): void {
  if (!(fault instanceof Deno.errors.NotFound)) throw fault;
}
