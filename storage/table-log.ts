/**
 * A log without files: its records are in a table, in memory or in a database.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { type Condition, defaultSegmentBytes, type Log, type LogOptions } from "./contract.ts";
import { createGroupCommit } from "./group-commit.ts";
import { storedBytes } from "./records.ts";
import { isCheckpointDue } from "./space.ts";
import { StorageError } from "./storage-error.ts";

/** The table with the records of a log. */
export interface Table {
  /** Its records in order, and whether each is of the last checkpoint. */
  records(): Iterable<{ readonly record: Uint8Array; readonly isLive: boolean }>;
  /** Adds records, all or none; resolves once they are stored. */
  add(records: readonly RecordBytes[]): Promise<void>;
  /** Replaces all records by others, or changes nothing. */
  replace(records: Iterable<RecordBytes>): Promise<void>;
  readonly condition: Condition;
}

/** Options of a log in a table. */
export type TableLogOptions = Omit<LogOptions, "scheduler" | "checkpointBytes">;

/** Opens the log in a table. Throws what `replay` throws. */
export function openTableLog(
  table: Table,
  { replay, checkpoint, segmentBytes = defaultSegmentBytes }: TableLogOptions,
): Log {
  const recovery = { records: 0, bytes: 0 };
  const space = { total: 0, live: 0 };
  for (const { record, isLive } of table.records()) {
    recovery.records += 1;
    recovery.bytes += record.length;
    space.total += storedBytes(record);
    if (isLive) space.live += storedBytes(record);
    replay?.(record);
  }
  let isClosed = false;
  const commit = createGroupCommit({ write }, (fault) => {
    const isDue = fault === undefined && isCheckpointDue(space, segmentBytes);
    // A failed compaction is tried again after the next write.
    if (checkpoint !== undefined && isDue) commit.between(compact).catch(() => {});
  });

  async function write(piece: readonly RecordBytes[]): Promise<void> {
    await table.add(piece);
    space.total += storedBytes(...piece);
  }

  async function compact(): Promise<void> {
    if (checkpoint === undefined) throw new TypeError("compact: no checkpoint given");
    // After one turn of the event loop, all acknowledgements have been delivered.
    await new Promise((resolve) => setTimeout(resolve));
    let live = 0;
    // Node 20 has no `Iterator.from`.
    function* counted(records: Iterable<RecordBytes>): Generator<RecordBytes> {
      for (const record of records) {
        live += storedBytes(record);
        yield record;
      }
    }
    await table.replace(counted(checkpoint()));
    space.total = space.live = live;
  }

  return {
    recovery,
    get condition() {
      return table.condition;
    },
    space,
    append: (record) => isClosed ? refuse() : commit.append(record),
    compact: () => isClosed ? refuse() : commit.between(compact),
    async retry({ stale = false } = {}) {
      if (isClosed || checkpoint === undefined || table.condition.state === "ok" && !stale) return;
      await commit.between(compact).catch(() => {});
    },
    async close() {
      isClosed = true;
      await commit.idle();
    },
  };
}

function refuse(): Promise<never> {
  return Promise.reject(
    new StorageError("closed", "the change could not be stored: the log is closed"),
  );
}
