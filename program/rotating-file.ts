/**
 * A file of lines that is appended to, and renamed when it is full, in place of the file before it.
 *
 * @module
 */
import { AUDIT_FILE_BYTES } from "../core/limits.ts";

/** The mode of the file: for its owner only, because the lines name users and their changes. */
const PRIVATE_FILE = 0o600;
const NEW_LINE = Uint8Array.of(0x0a);

/** A file, open for appending, and its length in bytes. */
interface OpenFile {
  readonly file: Deno.FsFile;
  size: number;
}

/** A file that is appended to. */
export interface RotatingFile {
  /**
   * Writes bytes at the end of the file, which it makes if it is missing. A file that they would make
   * longer than {@link AUDIT_FILE_BYTES} is renamed first. Rejects if the medium does not take it.
   */
  append(bytes: Uint8Array): Promise<void>;
  /** Closes the file; the next bytes open it again. */
  close(): void;
}

/**
 * Makes a rotating file at a path. The first `append` creates the file if it is missing; a full
 * file is renamed to `olderPath`.
 */
export function createRotatingFile(path: string, olderPath: string): RotatingFile {
  let open: OpenFile | undefined;

  async function append(bytes: Uint8Array): Promise<void> {
    // A file that was removed takes lines that nobody reads.
    if ((await open?.file.stat())?.nlink === 0) close();
    open ??= await openFile(path);
    if (open.size > 0 && open.size + bytes.length > AUDIT_FILE_BYTES) {
      close();
      await Deno.rename(path, olderPath);
      open = await openFile(path);
    }
    for (let at = 0; at < bytes.length;) at += await open.file.write(bytes.subarray(at));
    open.size += bytes.length;
  }

  function close(): void {
    open?.file.close();
    open = undefined;
  }

  return { append, close };
}

async function openFile(path: string): Promise<OpenFile> {
  const options = { read: true, append: true, create: true, mode: PRIVATE_FILE };
  const file = await Deno.open(path, options);
  try {
    // An existing file has the mode with which it was made.
    await Deno.chmod(path, PRIVATE_FILE);
    const { size } = await file.stat();
    if (size === 0) return { file, size };
    const last = new Uint8Array(1);
    await file.seek(-1, Deno.SeekMode.End);
    await file.read(last);
    if (last[0] === NEW_LINE[0]) return { file, size };
    // The last write was cut off: its line gets its end.
    return { file, size: size + await file.write(NEW_LINE) };
  } catch (fault) {
    file.close();
    throw fault;
  }
}
