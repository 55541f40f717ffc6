/**
 * The log and its peers behind one interface, for `bench/storage.ts`: durable label changes, one by
 * one, each acknowledged when it is on the medium.
 *
 * @module
 */
import { closeSync, constants, ftruncateSync, openSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type Log, openLog } from "../runtimes/deno/log.ts";

/** A store of label changes. */
export interface Contender {
  /**
   * Opens the folder and reads all records that a start needs; resolves with their number.
   */
  open(folder: string): Promise<number>;
  /** Stores one change durably. */
  change(key: string, payload: Uint8Array): Promise<void>;
  /** Stores many changes in the quickest way, to prepare a folder. */
  fill(changes: Iterable<[key: string, payload: Uint8Array]>): Promise<void>;
  close(): Promise<void>;
}

function theLog(): Contender {
  let log: Log;
  return {
    async open(folder) {
      let records = 0;
      log = await openLog(folder, { replay: () => records += 1 });
      return records;
    },
    change: (_key, payload) => log.append(payload),
    async fill(changes) {
      await Promise.all(Array.from(changes, ([, payload]) => log.append(payload)));
    },
    close: () => log.close(),
  };
}

/** Not a store, but the limit of the medium: the payload written with O_DSYNC, synchronously. */
function medium(): Contender {
  let file: number;
  let end = 0;
  return {
    open(folder) {
      const flags = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC;
      file = openSync(`${folder}/bare`, flags);
      ftruncateSync(file, 4 * 1024 * 1024);
      return Promise.resolve(0);
    },
    change(_key, payload) {
      end += writeSync(file, payload, 0, payload.length, end);
      return Promise.resolve();
    },
    fill: () => Promise.resolve(),
    close: () => Promise.resolve(closeSync(file)),
  };
}

function sqlite(): Contender {
  let database: DatabaseSync;
  let upsert: ReturnType<DatabaseSync["prepare"]>;
  return {
    open(folder) {
      database = new DatabaseSync(`${folder}/database`);
      database.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        CREATE TABLE IF NOT EXISTS labels (key TEXT PRIMARY KEY, payload BLOB) WITHOUT ROWID;
      `);
      upsert = database.prepare(
        "INSERT INTO labels VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET payload = excluded.payload",
      );
      return Promise.resolve(database.prepare("SELECT * FROM labels").all().length);
    },
    change(key, payload) {
      upsert.run(key, payload);
      return Promise.resolve();
    },
    fill(changes) {
      database.exec("BEGIN");
      for (const [key, payload] of changes) upsert.run(key, payload);
      database.exec("COMMIT");
      return Promise.resolve();
    },
    close: () => Promise.resolve(database.close()),
  };
}

/**
 * The part of `classic-level` that is used here; the import map in `bench/classic-level.json`
 * resolves the package.
 */
interface Level {
  open(): Promise<void>;
  put(key: string, value: Uint8Array, options: { sync: boolean }): Promise<void>;
  iterator(): AsyncIterable<[string, Uint8Array]>;
  close(): Promise<void>;
}

function level(): Contender {
  let database: Level;
  return {
    async open(folder) {
      const name = "classic-level";
      const { ClassicLevel } = await import(name) as {
        ClassicLevel: new (path: string, options: { valueEncoding: "view" }) => Level;
      };
      database = new ClassicLevel(`${folder}/database`, { valueEncoding: "view" });
      await database.open();
      return (await Array.fromAsync(database.iterator())).length;
    },
    change: (key, payload) => database.put(key, payload, { sync: true }),
    async fill(changes) {
      for (const [key, payload] of changes) await database.put(key, payload, { sync: false });
    },
    close: () => database.close(),
  };
}

/** All contenders by name. */
export const contenders: Readonly<Record<string, () => Contender>> = {
  medium,
  log: theLog,
  sqlite,
  "classic-level": level,
};
