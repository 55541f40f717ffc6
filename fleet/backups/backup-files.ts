/**
 * The folder of the backups of a fleet, as the hub asks for it: archives by the digest of their
 * content, and a list for each console. Archives and lists are complete: they appear atomically.
 *
 * @module
 */

/** The files of a folder of backups. */
export interface BackupFiles {
  /** Removes the unfinished files that are there, except those of backups that this hub makes now. */
  clear(): Promise<void>;
  /**
   * Writes a stream to an unfinished file, and returns its name once all of it is on the medium.
   * Rejects, and leaves nothing, where it breaks off, has more than `most` bytes, or cannot be
   * written.
   */
  receive(
    content: ReadableStream<Uint8Array>,
    most: number,
  ): Promise<{ readonly name: string; readonly bytes: number }>;
  /** Makes an unfinished file the archive of a content. */
  keep(unfinished: string, content: string): Promise<void>;
  /** Opens an unfinished file or an archive. */
  open(kind: "unfinished" | "archive", name: string): Promise<ReadableStream<Uint8Array>>;
  remove(kind: "unfinished" | "archive", name: string): Promise<void>;
  /** Returns the digests of the contents that have an archive. */
  archives(): Promise<readonly string[]>;
  /** Returns the lists, by the ids of their consoles. */
  lists(): Promise<ReadonlyMap<string, string>>;
  /** Puts a list in the place of the one before. */
  writeList(console: string, text: string): Promise<void>;
}
