/**
 * Files that hold secrets, and are there whole at any moment: the old one or the new.
 *
 * @module
 */
import { denoFileSystem } from "../runtimes/deno/file-system.ts";

/**
 * For the owner only: a configuration may hold the site key, a backup the key of the certificate.
 */
const PRIVATE_FILE = 0o600;

/**
 * Puts what a stream gives in the place of a file, once all of it is on the medium; a link stays
 * one. Rejects where it cannot be written, or something other than a file is there: it stays then.
 */
export async function replaceFile(
  file: string,
  content: ReadableStream<Uint8Array>,
): Promise<void> {
  const path = targetOf(file);
  const unfinished = `${path}.new`;
  // One that was left behind has the mode that it was made with, and may be a link of somebody
  // else's who may write to the folder: it is never written to.
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

/** Puts a text in the place of a file, as {@link replaceFile} does. */
export function replaceText(file: string, text: string): Promise<void> {
  return replaceFile(file, ReadableStream.from([new TextEncoder().encode(text)]));
}

function targetOf(file: string): string {
  let path: string;
  try {
    path = Deno.realPathSync(file);
  } catch {
    return file;
  }
  if (!Deno.statSync(path).isFile) throw new Error("it is there, and no file");
  return path;
}
