/**
 * Files that hold secrets, and are replaced atomically: at any moment either the old or the new
 * file is there.
 *
 * @module
 */
import { denoFileSystem } from "../runtimes/deno/file-system.ts";
import type { FolderTexts } from "../runtimes/folder-texts.ts";
import { Failure } from "./failure.ts";
import { warn } from "./print.ts";

/**
 * For the owner only: a configuration may hold the site key, a backup the key of the certificate.
 */
const PRIVATE_FILE = 0o600;

/**
 * Replaces a file by the content of a stream, once all of it is on the medium; a link stays a link.
 * Rejects, and leaves the path as it is, if the content cannot be written, or if the path is not a
 * file.
 */
export async function replaceFile(
  file: string,
  content: ReadableStream<Uint8Array>,
): Promise<void> {
  const path = targetOf(file);
  const unfinished = `${path}.new`;
  // A leftover file has the mode with which it was made, and may be a link by somebody else who may
  // write to the folder: it is never written to.
  const left = await Deno.lstat(unfinished).catch(() => undefined);
  if (left?.isDirectory === false) await Deno.remove(unfinished);
  const opened = await Deno.open(unfinished, { write: true, createNew: true, mode: PRIVATE_FILE });
  try {
    try {
      for await (const piece of content) {
        for (let at = 0; at < piece.length;) at += await opened.write(piece.subarray(at));
      }
      await opened.sync();
    } finally {
      opened.close();
    }
    await Deno.rename(unfinished, path);
  } catch (fault) {
    await Deno.remove(unfinished).catch(() => {});
    throw fault;
  }
  await denoFileSystem.syncFolder(path.includes("/") ? path.replace(/[^/]*$/, "") : ".");
}

/** Replaces a file by a text, as {@link replaceFile} does. */
export function replaceText(file: string, text: string): Promise<void> {
  return replaceFile(file, ReadableStream.from([new TextEncoder().encode(text)]));
}

/** Returns the private texts of a data folder. */
export function folderTexts(folder: string): FolderTexts {
  return {
    folder,
    async read(name) {
      try {
        return (await Deno.readTextFile(`${folder}/${name}`)).trim();
      } catch (fault) {
        if (fault instanceof Deno.errors.NotFound) return undefined;
        throw fault;
      }
    },
    replace: (name, line) => replaceText(`${folder}/${name}`, `${line}\n`),
    say: warn,
    failure: (reason) => new Failure(reason),
  };
}

function targetOf(file: string): string {
  let path: string;
  try {
    path = Deno.realPathSync(file);
  } catch {
    return file;
  }
  if (!Deno.statSync(path).isFile) throw new Error("it is there, but is not a file");
  return path;
}
