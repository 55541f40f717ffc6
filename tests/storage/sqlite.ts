/**
 * The part of the storage of a Durable Object that a log uses, on the SQLite of this runtime.
 *
 * @module
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { SqlStorage } from "../../storage/sql-log.ts";

/** A database in memory; `fail` is the reason with which its next writing statement fails. */
export function sqliteStorage(
  fail: () => string | undefined = () => undefined,
): SqlStorage & Disposable & { readonly rows: number } {
  const database = new DatabaseSync(":memory:");
  return {
    get rows() {
      return Number(database.prepare("SELECT COUNT(*) AS rows FROM records").get()!.rows);
    },
    sql: {
      exec(text, ...values) {
        const why = text.startsWith("INSERT") ? fail() : undefined;
        if (why !== undefined) throw new Error(why);
        const found = database.prepare(text).all(...values as SQLInputValue[]);
        return found.map(({ bytes, ...row }) =>
          bytes instanceof Uint8Array ? { ...row, bytes: bytes.slice().buffer } : row
        );
      },
    },
    transactionSync(work) {
      database.exec("BEGIN");
      try {
        const result = work();
        database.exec("COMMIT");
        return result;
      } catch (fault) {
        database.exec("ROLLBACK");
        throw fault;
      }
    },
    sync: () => Promise.resolve(),
    [Symbol.dispose]: () => database.close(),
  };
}
