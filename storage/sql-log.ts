/**
 * A log in a table of SQLite, as a Durable Object has it: for runtimes without a file system. What
 * bytes stand there is SQLite's to vouch for, so there is no damage to look for.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import type { RecordBytes } from "../core/ports.ts";
import { type Condition, defaultSegmentBytes, type Log, type LogOptions } from "./contract.ts";
import { callsOn } from "./calls.ts";
import { createGroupCommit } from "./group-commit.ts";
import { partsOf, storedBytes } from "./records.ts";
import { isCheckpointDue } from "./space.ts";
import { StorageError } from "./storage-error.ts";

/** What the log asks of SQLite: that of `DurableObjectStorage`. */
export interface SqlStorage {
  readonly sql: {
    /** Runs a statement; answers its rows, where a BLOB is an `ArrayBuffer`. */
    exec(statement: string, ...values: unknown[]): Iterable<Readonly<Record<string, unknown>>>;
  };
  /** Does work of which all is in the database, or nothing. */
  transactionSync<Result>(work: () => Result): Result;
  /** Resolves once what was written is on the medium. */
  sync(): Promise<void>;
}

/** A Durable Object takes rows of up to 2 MB, so longer records come in pieces of this many bytes. */
const ROW_BYTES = 1024 * 1024;

/**
 * A record is one row, or several, the last of which `ends` it. `live` rows are those of the last
 * checkpoint.
 */
const TABLE = `CREATE TABLE IF NOT EXISTS records (
  place INTEGER PRIMARY KEY,
  ends INTEGER NOT NULL,
  live INTEGER NOT NULL,
  bytes BLOB NOT NULL
)`;

/**
 * Opens the log in the table `records` of a database, which is made where there is none.
 * `LogOptions.segmentBytes` sets how far it grows before it is compacted (default 4 MiB). Throws
 * what `replay` throws.
 */
export function openSqlLog(
  storage: SqlStorage,
  options: Omit<LogOptions, "files" | "scheduler" | "checkpointBytes"> = {},
): Promise<Log> {
  const { replay, checkpoint, onCondition, segmentBytes = defaultSegmentBytes } = options;
  const { sql } = storage;
  const space = { total: 0, live: 0 };
  let condition: Condition = { state: "ok" };

  /** Does work on the database; throws {@link StorageError} where that does not take it. */
  async function store(work: () => void): Promise<void> {
    let found: Condition = { state: "ok" };
    try {
      storage.transactionSync(work);
      await storage.sync();
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      found = { state: why.includes("SQLITE_FULL") ? "full" : "readonly", why };
      throw new StorageError("notStored", `could not be stored: ${why}`, true, { cause: fault });
    } finally {
      const isNews = found.state !== condition.state;
      condition = found;
      if (isNews) onCondition?.(condition);
    }
  }

  function insert(record: RecordBytes, live: 0 | 1): void {
    const bytes = concat(partsOf(record));
    for (let at = 0; at < bytes.length; at += ROW_BYTES) {
      const ends = at + ROW_BYTES >= bytes.length ? 1 : 0;
      const row = bytes.subarray(at, at + ROW_BYTES);
      sql.exec("INSERT INTO records (ends, live, bytes) VALUES (?, ?, ?)", ends, live, row);
    }
  }

  async function write(piece: readonly RecordBytes[]): Promise<void> {
    await store(() => piece.forEach((record) => insert(record, 0)));
    space.total += storedBytes(...piece);
  }

  async function compact(): Promise<void> {
    // After one turn of the event loop, whoever waited for an acknowledgement has had it.
    await new Promise((resolve) => setTimeout(resolve));
    let live = 0;
    await store(() => {
      sql.exec("DELETE FROM records");
      for (const record of checkpoint!()) {
        insert(record, 1);
        live += storedBytes(record);
      }
    });
    space.total = space.live = live;
  }

  const commit = createGroupCommit({ write }, (fault) => {
    const isDue = fault === undefined && isCheckpointDue(space, segmentBytes);
    // What could not be compacted is tried again after the next write.
    if (checkpoint !== undefined && isDue) commit.between(compact).catch(() => {});
  });

  sql.exec(TABLE);
  const recovery = { records: 0, bytes: 0 };
  let begun: Uint8Array[] = [];
  for (const { bytes, ends, live } of sql.exec("SELECT * FROM records ORDER BY place")) {
    begun.push(new Uint8Array(bytes as ArrayBuffer));
    if (ends === 0) continue;
    const record = concat(begun);
    begun = [];
    recovery.records++;
    recovery.bytes += record.length;
    space.total += storedBytes(record);
    if (live === 1) space.live += storedBytes(record);
    replay?.(record);
  }

  return Promise.resolve({
    recovery,
    get condition() {
      return condition;
    },
    get space() {
      return { ...space, held: 0 };
    },
    ...callsOn(commit, checkpoint === undefined ? undefined : compact),
    async retry({ stale = false } = {}) {
      if (stale && checkpoint !== undefined) await commit.between(compact).catch(() => {});
    },
  });
}
