/**
 * A log in a table of SQLite, as a Durable Object has it: for runtimes without a file system.
 * SQLite vouches for the stored bytes, so there is no damage to look for.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import type { RecordBytes } from "../core/ports.ts";
import type { Log } from "./contract.ts";
import { whole } from "./records.ts";
import { describeFault, MAY_BE_FOUND, StorageError } from "./storage-error.ts";
import { openTableLog, type TableLogOptions } from "./table-log.ts";

/** The part of SQLite that the log uses: that of `DurableObjectStorage`. */
export interface SqlStorage {
  readonly sql: {
    /** Runs a statement; returns its rows, where a BLOB is an `ArrayBuffer`. */
    exec(statement: string, ...values: unknown[]): Iterable<Readonly<Record<string, unknown>>>;
  };
  /** Does work as one transaction: all of its changes are in the database, or none. */
  transactionSync<Result>(work: () => Result): Result;
  /** Resolves once all writes are on the medium. */
  sync(): Promise<void>;
}

/**
 * A Durable Object takes rows of up to 2 MB, so longer records come in pieces of this many bytes.
 */
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
export function openSqlLog(storage: SqlStorage, options: TableLogOptions = {}): Promise<Log> {
  const { sql } = storage;
  /** The place of the last row that counts. */
  let end = 0;
  /** Whether rows behind it may be in the database: those of a change that was refused. */
  let hasRefused = false;

  /**
   * Does work on the database that returns the place of its last row; throws {@link StorageError}
   * if that fails. A checkpoint counts although it is not confirmed: what it replaces is gone.
   */
  async function store(work: () => number, isCheckpoint: boolean): Promise<void> {
    let isInDatabase = false;
    try {
      const last = storage.transactionSync(work);
      isInDatabase = true;
      if (isCheckpoint) end = last;
      await storage.sync();
      end = last;
      hasRefused = false;
    } catch (fault) {
      hasRefused ||= isInDatabase;
      const doubt = isInDatabase ? `; ${MAY_BE_FOUND}` : "";
      const message = `the change could not be stored: ${describeFault(fault)}${doubt}`;
      throw new StorageError("notStored", message, !isInDatabase, { cause: fault });
    }
  }

  /** Adds records behind a place; returns the place of the last row. */
  function insert(after: number, records: Iterable<RecordBytes>, live: 0 | 1): number {
    let place = after;
    for (const record of records) {
      const bytes = whole(record);
      for (let at = 0; at < bytes.length; at += ROW_BYTES) {
        const ends = at + ROW_BYTES >= bytes.length ? 1 : 0;
        const row = bytes.subarray(at, at + ROW_BYTES);
        sql.exec("INSERT INTO records VALUES (?, ?, ?, ?)", ++place, ends, live, row);
      }
    }
    return place;
  }

  function* records() {
    let begun: Uint8Array[] = [];
    for (const { place, bytes, ends, live } of sql.exec("SELECT * FROM records ORDER BY place")) {
      end = place as number;
      begun.push(new Uint8Array(bytes as ArrayBuffer));
      if (ends === 0) continue;
      yield { record: concat(begun), isLive: live === 1 };
      begun = [];
    }
  }

  sql.exec(TABLE);
  const log = openTableLog({
    records,
    add: (added) =>
      store(() => {
        if (hasRefused) sql.exec("DELETE FROM records WHERE place > ?", end);
        return insert(end, added, 0);
      }, false),
    replace: (replacing) =>
      store(() => {
        sql.exec("DELETE FROM records");
        return insert(0, replacing, 1);
      }, true),
  }, options);
  return Promise.resolve(log);
}
