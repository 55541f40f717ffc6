/**
 * A log without files: its records are in a table, in memory or in a database.
 *
 * @module
 */
import type { RecordBytes } from "../core/ports.ts";
import { createCondition } from "./condition.ts";
import { defaultSegmentBytes, type Log, type LogOptions } from "./contract.ts";
import { createGroupCommit } from "./group-commit.ts";
import { storedBytes } from "./records.ts";
import { isCheckpointDue } from "./space.ts";
import { causeOf, describeFault, StorageError } from "./storage-error.ts";

/** The table with the records of a log. */
export interface Table {
  /** Its records in order, and whether each is of the last checkpoint. */
  records(): Iterable<{ readonly record: Uint8Array; readonly isLive: boolean }>;
  /** Adds records, all or none; resolves once they are stored. */
  add(records: readonly RecordBytes[]): Promise<void>;
  /** Replaces all records by others, or changes nothing. */
  replace(records: Iterable<RecordBytes>): Promise<void>;
}

/** Options of a log in a table. */
export type TableLogOptions = Omit<LogOptions, "scheduler" | "checkpointBytes">;

/** Opens the log in a table. Throws what `replay` throws. */
export function openTableLog(
  table: Table,
  { replay, checkpoint, segmentBytes = defaultSegmentBytes, onCondition }: TableLogOptions,
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
  const condition = createCondition(onCondition);
  /** A compaction that failed is tried again when the log has grown to this size, in bytes. */
  let notBefore = 0;
  let isClosed = false;
  const commit = createGroupCommit({ write }, (fault) => {
    if (fault !== undefined) return condition.failed(fault);
    condition.well();
    const isDue = space.total >= notBefore && isCheckpointDue(space, segmentBytes);
    if (checkpoint !== undefined && isDue) commit.between(compact).catch(() => {});
  });

  async function write(piece: readonly RecordBytes[]): Promise<void> {
    await table.add(piece);
    space.total += storedBytes(...piece);
  }

  async function compact(): Promise<void> {
    if (checkpoint === undefined) throw new TypeError("compact: no checkpoint given");
    try {
      await replaceBy(checkpoint);
    } catch (fault) {
      notBefore = space.total + segmentBytes / 4;
      condition.compaction(describeFault(causeOf(fault)));
      throw fault;
    }
  }

  async function replaceBy(gather: () => Iterable<RecordBytes>): Promise<void> {
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
    await table.replace(counted(gather()));
    space.total = space.live = live;
    notBefore = 0;
    condition.compaction();
  }

  return {
    recovery,
    get condition() {
      return condition.now;
    },
    space,
    append: (record) => isClosed ? refuse() : commit.append(record),
    compact: () => isClosed ? refuse() : commit.between(compact),
    async retry({ stale = false } = {}) {
      if (isClosed || checkpoint === undefined || condition.now.state === "ok" && !stale) return;
      try {
        await commit.between(() => replaceBy(checkpoint));
        condition.well();
      } catch (fault) {
        condition.failed(fault);
      }
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
