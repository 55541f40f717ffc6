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
   * Takes the recovered records, in order, before `openLog` resolves. Each is valid until this
   * returns, because the next one is read into the same buffer: copy what is kept.
   */
  readonly replay?: (record: Uint8Array) => void;
  /**
   * Returns the records that rebuild the state after all acknowledged records, and no others. The
   * log calls it once all acknowledgements have been delivered and no write is under way. It takes
   * the records one by one while the state changes: they must describe the state at the time of the
   * call. Without it the log is never compacted.
   */
  readonly checkpoint?: () => Iterable<RecordBytes>;
  /**
   * Estimated size of those records together, in bytes: that much space is reserved for them. It is
   * called after every few hundred KiB of appends. Default: the size of the whole log.
   */
  readonly checkpointBytes?: () => number;
  /**
   * Decides how long those records are gathered before other work has its turn; default: until all
   * are gathered.
   */
  readonly scheduler?: CooperativeScheduler;
  /** The size at which a segment is closed, in bytes: the next write begins another. */
  readonly segmentBytes?: number;
  /**
   * Called with each change of {@link Condition}'s `state`, `compaction` and `slow` while the log
   * is open. {@link Log.condition} has the condition at the opening. An error that it throws is
   * thrown again later, uncaught.
   */
  readonly onCondition?: (condition: Condition) => void;
  /** Wakes the log to check whether the medium is slow; without it, the log does not check. */
  readonly timer?: Timer;
}

/** The size at which a segment is closed, in bytes, unless options say otherwise. */
export const defaultSegmentBytes = 4 * 1024 * 1024;

/** The condition of a log. */
export interface Condition {
  /**
   * `ok`: appended records are stored. `full`: the medium has no space. `readonly`: it refuses
   * writes for another reason. In these two states the next append tries again, and so does {@link
   * Log.retry}. `damaged`: the records read are not the stored ones; nothing is stored until the
   * log is repaired.
   */
  readonly state: "ok" | "full" | "readonly" | "damaged";
  /**
   * The reason why `state` is not `ok`, for people. For damage it names the file and the offset.
   */
  readonly why?: string;
  /** Advice for people, where `state` alone does not tell what to do. */
  readonly remedy?: string;
  /** Whether the folder was emptied, removed or replaced: the log has to be opened anew. */
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
   * Writes a checkpoint now and removes the files that it replaces; resolves when that is done.
   * Needs {@link LogOptions.checkpoint}. The log does it by itself when it is due.
   */
  compact(): Promise<void>;
  /**
   * Tries to make a log that is `full`, `readonly` or slow ready for the next append; resolves
   * after the attempt, with its result in {@link Log.condition}. With `stale`, for changes in force
   * that were not appended, the whole state is stored as a checkpoint before the log is `ok` again;
   * that is done in any state but `damaged`.
   */
  retry(options?: { readonly stale?: boolean }): Promise<void>;
  /** Stores all appended records, gives up a running compaction, and releases the folder. */
  close(): Promise<void>;
}

/** A place in the log. */
export interface Place {
  /** The file's name in the folder. */
  readonly file: string;
  /** The number of the segment; for a checkpoint, the number of the segment that follows it. */
  readonly segment: number;
  /** In bytes from the start of the file. */
  readonly offset: number;
}

/** A place whose bytes are not the acknowledged records. */
export interface Damage extends Place {
  readonly reason: string;
}

/** The remains of a write that a power cut left unfinished; it was never acknowledged. */
export interface Cut extends Place {
  readonly bytes: number;
}

/**
 * A last segment without a valid header, which holds one write at most. Either a power cut left
 * that write unfinished, so that it was never acknowledged, or it was stored and damaged since: the
 * two cases look the same. So the log goes on without it, and the file is kept.
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
  /** Number of records that were recovered. */
  readonly records: number;
  /** The size of their payloads, in bytes. */
  readonly bytes: number;
  readonly cut?: Cut;
  /** The segment that is quarantined before the first append, if the log is not damaged. */
  readonly quarantined?: Quarantined;
  /**
   * The damage; only records before it that are proven good were recovered, and the log is
   * read-only.
   */
  readonly damage?: Damage;
}
