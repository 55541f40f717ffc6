/**
 * A log on its medium: the folder, and the files in use.
 *
 * @module
 */
import type { Random } from "../core/ports.ts";
import type { Space } from "./contract.ts";
import type { Folder } from "./file-system.ts";
import type { FileIdentity, Origin } from "./format.ts";

/** One file of the log. */
export interface LogFile extends FileIdentity, Origin {
  readonly name: string;
  /**
   * The end of its good records in bytes, which is the space it takes; it grows for the last
   * segment.
   */
  bytes: number;
}

/** The medium that all parts of an open log share. */
export interface LogMedium extends Folder {
  /** The size at which a segment is closed, in bytes. */
  readonly segmentBytes: number;
  /** The number of the log. */
  readonly log: string;
  readonly random: Random;
  /**
   * The files of the log in order, kept up to date: the active segment adds segments and keeps the
   * size of the last one, a compaction replaces the files before it.
   */
  readonly chain: LogFile[];
}

/** Returns the space that the files of a log take. */
export function spaceOf(chain: readonly LogFile[]): Space {
  const total = chain.reduce((sum, { bytes }) => sum + bytes, 0);
  const [first] = chain;
  return { total, live: first?.kind === "checkpoint" ? first.bytes : 0 };
}
