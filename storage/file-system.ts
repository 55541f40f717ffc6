/**
 * The file system as the log needs it: small enough that a test can simulate one that fails, tears
 * writes and loses power (`tests/storage/simulated-disk.ts`).
 *
 * A failure is an `Error` whose `code` is the system's name for it ("ENOSPC", "EIO").
 *
 * @module
 */

/** One open file. None of its operations blocks the event loop until the medium has answered. */
export interface OpenFile {
  /** Reads into `buffer` from `offset` on; resolves with the number of bytes read, 0 at the end. */
  read(buffer: Uint8Array, offset: number): Promise<number>;
  /**
   * Writes at `offset`; resolves once the bytes are handed over, with their number, which may be
   * smaller than asked. Nothing is certain to be on the medium before {@link OpenFile.sync}: until
   * then a power cut may leave all of them, none, or any part.
   */
  write(bytes: Uint8Array, offset: number): Promise<number>;
  /**
   * Truncates the file, or lengthens it with zeros that take no space. Durable after {@link
   * OpenFile.sync}.
   */
  truncate(bytes: number): Promise<void>;
  /** Resolves once all that was written is on the medium, and the file's length with it. */
  sync(): Promise<void>;
  /** The file's length in bytes. */
  size(): Promise<number>;
  /**
   * Whether a path still leads to the file. Otherwise the file was removed, or another folder was
   * mounted or moved there: bytes written to the file can be synced, but the next start does not
   * find them.
   */
  isAt(path: string): boolean;
  close(): Promise<void>;
}

/** The lock on a folder, which only this process holds. */
export interface Lock {
  release(): void;
}

/**
 * The folder operations of the log. Names made, changed or removed are durable after `syncFolder`.
 */
export interface FileSystem {
  /**
   * Makes the folder, and the folders above it, private to the user (0700), unless it exists. New
   * folders are durable then.
   */
  makeFolder(path: string): Promise<void>;
  /** Lists the names in the folder, in no order. */
  list(folder: string): Promise<string[]>;
  /** Makes an empty private file (0600), which replaces an existing file of that name. */
  create(path: string): Promise<OpenFile>;
  /** Opens an existing file for reading only, which a read-only medium allows. */
  openToRead(path: string): Promise<OpenFile>;
  /** Opens an existing file for reading and writing. */
  open(path: string): Promise<OpenFile>;
  /** Renames the file atomically; it replaces an existing file of the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Removes the file, if it is there. */
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
  /**
   * Locks the folder for this process, until the lock is released or the process ends in any way.
   * Resolves with undefined if another process holds it. Nothing is written, so the lock works on a
   * read-only medium, too, and there is no lock file that could be deleted.
   */
  lock(folder: string): Promise<Lock | undefined>;
}

/** A folder on a file system. */
export interface Folder {
  readonly files: FileSystem;
  readonly folder: string;
}

/** A file system that opens files through `wrap`, which may change what they do. */
export function wrapFiles(
  files: FileSystem,
  wrap: (file: OpenFile, path: string) => OpenFile,
): FileSystem {
  const wrapped = (open: (path: string) => Promise<OpenFile>) => async (path: string) =>
    wrap(await open(path), path);
  return {
    ...files,
    create: wrapped(files.create),
    open: wrapped(files.open),
    openToRead: wrapped(files.openToRead),
  };
}

/** Reads until `buffer` is full or the file ends; resolves with the bytes read. */
export async function readFully(
  file: Pick<OpenFile, "read">,
  buffer: Uint8Array,
  offset: number,
): Promise<Uint8Array> {
  let read = 0;
  while (read < buffer.length) {
    const count = await file.read(buffer.subarray(read), offset + read);
    if (count === 0) break;
    read += count;
  }
  return buffer.subarray(0, read);
}

/** Writes all of `bytes`, going on where a short write stopped. */
export async function writeFully(file: OpenFile, bytes: Uint8Array, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += await file.write(bytes.subarray(written), offset + written);
  }
}

/** Works on a file that is closed afterwards, whether the work succeeds or fails. */
export async function closing<Result>(
  opening: Promise<OpenFile>,
  work: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const file = await opening;
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
