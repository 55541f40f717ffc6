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

/** The new content of a file, which is removed at the end if it has not replaced the file. */
export interface Replacement extends AsyncDisposable {
  /** Replaces the file, and makes its name durable. */
  use(): Promise<void>;
}

/**
 * Writes the content of a stream beside the file that it is to replace; a link stays a link.
 * Resolves once all of it is on the medium. Rejects, and leaves the path as it is, if the content
 * cannot be written, or if the path is not a file.
 */
export async function replacementOf(
  file: string,
  content: ReadableStream<Uint8Array>,
): Promise<Replacement> {
  const path = targetOf(file);
  const unfinished = `${path}.new`;
  // A leftover file has the mode with which it was made, and may be a link by somebody else who may
  // write to the folder: it is never written to.
  const left = await Deno.lstat(unfinished).catch(() => undefined);
  if (left?.isDirectory === false) await Deno.remove(unfinished);
  const opened = await Deno.open(unfinished, { write: true, createNew: true, mode: PRIVATE_FILE });
  let isUsed = false;
  const replacement = {
    async use() {
      await Deno.rename(unfinished, path);
      isUsed = true;
      await denoFileSystem.syncFolder(path.includes("/") ? path.replace(/[^/]*$/, "") : ".");
    },
    async [Symbol.asyncDispose]() {
      if (!isUsed) await Deno.remove(unfinished).catch(() => {});
    },
  };
  try {
    try {
      for await (const piece of content) {
        for (let at = 0; at < piece.length;) at += await opened.write(piece.subarray(at));
      }
      await opened.sync();
    } finally {
      opened.close();
    }
    return replacement;
  } catch (fault) {
    await replacement[Symbol.asyncDispose]();
    throw fault;
  }
}

/** Replaces a file as {@link replacementOf} says. Rejects, and leaves the path, if that fails. */
export async function replaceFile(
  file: string,
  content: ReadableStream<Uint8Array>,
): Promise<void> {
  await using replacement = await replacementOf(file, content);
  await replacement.use();
}

/** Replaces a file by a text, as {@link replaceFile} does. */
export function replaceText(file: string, text: string): Promise<void> {
  return replaceFile(file, streamed(text));
}

/** Returns a text as the stream of a file. */
export function streamed(text: string): ReadableStream<Uint8Array> {
  return ReadableStream.from([new TextEncoder().encode(text)]);
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
