/**
 * A log in a table of SQLite, as a Durable Object has it: for runtimes without a file system.
 * SQLite vouches for the stored bytes, so there is no damage to look for.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import type { RecordBytes } from "../core/ports.ts";
import { tellOwner } from "./condition.ts";
import type { Condition, Log } from "./contract.ts";
import { whole } from "./records.ts";
import { MAY_BE_FOUND, StorageError } from "./storage-error.ts";
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
  const { onCondition } = options;
  let condition: Condition = { state: "ok" };

  /** Does work on the database; throws {@link StorageError} if that fails. */
  async function store(work: () => void): Promise<void> {
    let found: Condition = { state: "ok" };
    let isInDatabase = false;
    try {
      storage.transactionSync(work);
      isInDatabase = true;
      await storage.sync();
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      found = { state: why.includes("SQLITE_FULL") ? "full" : "readonly", why };
      const doubt = isInDatabase ? `; ${MAY_BE_FOUND}` : "";
      const message = `the change could not be stored: ${why}${doubt}`;
      throw new StorageError("notStored", message, !isInDatabase, { cause: fault });
    } finally {
      const isNews = found.state !== condition.state;
      condition = found;
      if (isNews && onCondition !== undefined) tellOwner(onCondition, condition);
    }
  }

  function insert(record: RecordBytes, live: 0 | 1): void {
    const bytes = whole(record);
    for (let at = 0; at < bytes.length; at += ROW_BYTES) {
      const ends = at + ROW_BYTES >= bytes.length ? 1 : 0;
      const row = bytes.subarray(at, at + ROW_BYTES);
      sql.exec("INSERT INTO records (ends, live, bytes) VALUES (?, ?, ?)", ends, live, row);
    }
  }

  function* records() {
    let begun: Uint8Array[] = [];
    for (const { bytes, ends, live } of sql.exec("SELECT * FROM records ORDER BY place")) {
      begun.push(new Uint8Array(bytes as ArrayBuffer));
      if (ends === 0) continue;
      yield { record: concat(begun), isLive: live === 1 };
      begun = [];
    }
  }

  sql.exec(TABLE);
  const log = openTableLog({
    records,
    get condition() {
      return condition;
    },
    add: (added) => store(() => added.forEach((record) => insert(record, 0))),
    replace: (replacing) =>
      store(() => {
        sql.exec("DELETE FROM records");
        for (const record of replacing) insert(record, 1);
      }),
  }, options);
  return Promise.resolve(log);
}
