/**
 * The interface of a log, whether it is on a medium (`log.ts`) or in a table (`table-log.ts`).
 *
 * @module
 */
import type { CooperativeScheduler, RecordBytes, Store, Timer } from "../core/ports.ts";
import type { Space } from "./space.ts";

export type { Space } from "./space.ts";

/** How a log is opened. */
export interface LogOptions {
  /**
   * Takes the recovered records, in order, before `openLog` resolves. Each is good until this
   * returns, as the next one is read to the same place: copy what is kept.
   */
  readonly replay?: (record: Uint8Array) => void;
  /**
   * Records that rebuild the state that all acknowledged records have led to, and no others. The
   * log calls it when an acknowledgement has had its turn of the event loop and none is under way,
   * and takes records from the answer one by one, while the state goes on: the answer must stay the
   * picture of one moment. Without it the log is never compacted.
   */
  readonly checkpoint?: () => Iterable<RecordBytes>;
  /**
   * Estimated size of those records together, in bytes: that much space is held for them. It is
   * asked for when a few hundred KiB were appended. Default: the size of the whole log.
   */
  readonly checkpointBytes?: () => number;
  /** Decides how long those records are gathered before other work has its turn; default: all. */
  readonly scheduler?: CooperativeScheduler;
  /** The size at which a segment is closed, in bytes: the next write begins another. */
  readonly segmentBytes?: number;
  /**
   * Hears of each change of {@link Condition}'s `state`, `compaction` and `slow` while the log is
   * open. What it is when the log has been opened, {@link Log.condition} says.
   */
  readonly onCondition?: (condition: Condition) => void;
  /** Wakes the log to see whether the medium is slow; without it, the log does not look. */
  readonly timer?: Timer;
}

/** The size at which a segment is closed, in bytes, unless options say otherwise. */
export const defaultSegmentBytes = 4 * 1024 * 1024;

/** The condition of a log. */
export interface Condition {
  /**
   * `ok`: what is appended is stored. `full`: the medium has no room. `readonly`: it does not take
   * what is written, for another reason. Of these two the next append is tried again, and
   * {@link Log.retry} does it without one. `damaged`: what was read is not what was stored; nothing
   * is until the log is repaired.
   */
  readonly state: "ok" | "full" | "readonly" | "damaged";
  /** The reason why it is not `ok`, for people. For damage it names the file and the offset. */
  readonly why?: string;
  /** Advice for people, where `state` alone does not tell what to do. */
  readonly remedy?: string;
  /** Whether the folder was emptied or removed: it has to be opened anew. */
  readonly gone?: true;
  /** The reason why the last compaction failed, for people. It will be tried again. */
  readonly compaction?: string;
  /** Whether a sync takes 2 s or more, or the last one did. */
  readonly slow?: true;
}

/** An open log. */
export interface Log extends Store {
  /** The findings when the log was opened. */
  readonly recovery: Recovery;
  readonly condition: Condition;
  readonly space: Space;
  /**
   * Writes a checkpoint now and removes what it replaces; resolves when that is done. Needs
   * {@link LogOptions.checkpoint}. The log does it by itself when it is due.
   */
  compact(): Promise<void>;
  /**
   * Tries to make a log that is `full`, `readonly` or slow ready for the next append; resolves when
   * it was tried, and {@link Log.condition} says what came of it. With `stale`, for something in
   * force that was not appended, all that is in force is stored as a checkpoint before the log is
   * `ok` again; that is done in any state but `damaged`.
   */
  retry(options?: { readonly stale?: boolean }): Promise<void>;
  /** Stores what was appended, gives up a running compaction, releases the folder. */
  close(): Promise<void>;
}

/** A place in the log. */
export interface Place {
  /** The file's name in the folder. */
  readonly file: string;
  /** The segment's number; of a checkpoint, that of the segment that follows it. */
  readonly segment: number;
  /** In bytes from the start of the file. */
  readonly offset: number;
}

/** A place where something else stands than the records that were acknowledged. */
export interface Damage extends Place {
  readonly reason: string;
}

/** The rest of a write that a power cut left unfinished; nobody was told that it succeeded. */
export interface Cut extends Place {
  readonly bytes: number;
}

/**
 * A last segment of which neither header is right, and that holds one write at the most. Either
 * power cut off that write, of which nobody was told that it succeeded, or it was stored and
 * damaged since: nothing can tell. So the log goes on without it, and the file is kept.
 */
export interface Quarantined {
  /** The file's name in the folder. */
  readonly file: string;
  /** The name under which it is kept. */
  readonly keptAs: string;
  /** Its length in bytes. */
  readonly bytes: number;
}

/** The findings of reading the log, as data for the program to print. */
export interface Recovery {
  /** How many records were given back. */
  readonly records: number;
  /** Their payload, in bytes. */
  readonly bytes: number;
  readonly cut?: Cut;
  /** The bytes that are quarantined before the first append, where the log is not damaged. */
  readonly quarantined?: Quarantined;
  /** Only what is proven good before this place was given back, and the log is read-only. */
  readonly damage?: Damage;
}
