/** The behaviour of the log in SQLite beyond the contract of every store. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { createConsole } from "../../core/console.ts";
import { beginReplay } from "../../core/replay.ts";
import { get } from "../../core/tree/get.ts";
import { set } from "../../core/tree/set.ts";
import { DEVICE } from "../../core/users/user.ts";
import { machine } from "../../runtimes/clock.ts";
import { openSqlLog, type SqlStorage } from "../../storage/sql-log.ts";
import { StorageError } from "../../storage/storage-error.ts";
import { uncaughtDuring } from "../uncaught.ts";
import { until } from "../until.ts";
import { sqliteStorage } from "./sqlite.ts";
import { appendAll, collecting, record } from "./texts.ts";

Deno.test("a record of megabytes is stored in rows of a megabyte, all of them or none", async () => {
  let writes = 0;
  let mayWrite = Infinity;
  using storage = sqliteStorage(() => ++writes > mayWrite ? "SQLITE_FULL" : undefined);
  const log = await openSqlLog(storage);
  const long = Uint8Array.from({ length: 2.5 * 1024 * 1024 }, (_, at) => at % 251);
  await log.append(long);
  assertEquals(storage.rows, 3);
  mayWrite = writes + 2;
  await assertRejects(() => log.append(long), StorageError, "could not be stored: SQLITE_FULL");
  assertEquals(storage.rows, 3);
  const found: Uint8Array[] = [];
  const again = await openSqlLog(storage, { replay: (one) => void found.push(one) });
  assertEquals(found, [long]);
  assertEquals(again.space.total, log.space.total);
});

Deno.test("a failed append rejects once, and the next append is tried again", async () => {
  let why: string | undefined;
  using storage = sqliteStorage(() => why);
  const told: string[] = [];
  const log = await openSqlLog(storage, { onCondition: ({ state }) => told.push(state) });
  await log.append(record("a"));
  why = "database or disk is full: SQLITE_FULL";
  for (const one of ["b", "c"]) await assertRejects(() => log.append(record(one)), StorageError);
  assertEquals(log.condition, { state: "full", why });
  why = "disk I/O error";
  await assertRejects(() => log.append(record("d")), StorageError, "could not be stored: disk I/O");
  why = undefined;
  await log.append(record("e"));
  assertEquals(told, ["full", "readonly", "ok"]);
  const { found, options } = collecting();
  await openSqlLog(storage, options);
  assertEquals(found, ["a", "e"]);
});

Deno.test("an owner that throws at a change of the condition loses no record, and its error is uncaught", async () => {
  let why: string | undefined;
  using storage = sqliteStorage(() => why);
  const log = await openSqlLog(storage, {
    onCondition({ state }) {
      throw new Error(state);
    },
  });
  const uncaught = await uncaughtDuring(async () => {
    why = "disk I/O error";
    await assertRejects(() => log.append(record("a")), StorageError, why);
    why = undefined;
    await log.append(record("b"));
    await log.append(record("c"));
  });
  assertEquals(uncaught, ["readonly", "ok"]);
  const { found, options } = collecting();
  await openSqlLog(storage, options);
  assertEquals(found, ["b", "c"]);
});

Deno.test("a failed compaction leaves the records unchanged, and is tried again", async () => {
  let fails = false;
  let written = 0;
  using storage = sqliteStorage(() => fails ? "disk I/O error" : void written++);
  const log = await openSqlLog(storage, { checkpoint: () => [record("all"), record("of it")] });
  await appendAll(log, ["a", "b", "c"]);
  fails = true;
  await assertRejects(() => log.compact(), StorageError);
  assertEquals(storage.rows, 3);
  fails = false;
  await log.compact();
  assertEquals(storage.rows, 2);
  const { found, options } = collecting();
  const again = await openSqlLog(storage, options);
  assertEquals(found, ["all", "of it"]);
  assertEquals(again.space.live, again.space.total, "what is live is known when it opens");
  assert(written > 0);
});

Deno.test("a compaction that fails by itself leaves the log well, and is tried again only once the log has grown", async () => {
  let fails = true;
  let attempts = 0;
  using storage = sqliteStorage();
  const exec: SqlStorage["sql"]["exec"] = (statement, ...values) => {
    if (statement.startsWith("DELETE")) {
      attempts++;
      if (fails) throw new Error("SQLITE_FULL");
    }
    return storage.sql.exec(statement, ...values);
  };
  const { transactionSync, sync } = storage;
  const told: unknown[] = [];
  const log = await openSqlLog({ sql: { exec }, transactionSync, sync }, {
    checkpoint: () => [record("all")],
    segmentBytes: 4000,
    onCondition: (condition) => told.push(condition),
  });
  for (let at = 0; at < 100; at++) await log.append(new Uint8Array(100));
  assert(attempts > 1 && attempts < 12, `${attempts} attempts`);
  const uncompacted = { state: "ok", compaction: "SQLITE_FULL" };
  assertEquals(told, [uncompacted]);
  await log.retry({ stale: true });
  assertEquals(log.condition.state, "full", "the whole state is not stored");
  await log.append(record("a"));
  fails = false;
  while (log.condition.compaction !== undefined) await log.append(new Uint8Array(100));
  assertEquals(told.slice(1), [{ ...uncompacted, state: "full", why: "SQLITE_FULL" }, uncompacted, {
    state: "ok",
  }]);
});

Deno.test("a retry makes a log well that has refused a record, once the database takes writes again", async () => {
  let why: string | undefined = "database or disk is full: SQLITE_FULL";
  using storage = sqliteStorage(() => why);
  const log = await openSqlLog(storage, { checkpoint: () => [record("all")] });
  await assertRejects(() => log.append(record("a")), StorageError);
  await log.retry();
  assertEquals(log.condition, { state: "full", why });
  why = undefined;
  await log.retry();
  assertEquals(log.condition, { state: "ok" });
});

Deno.test("a console in degraded mode without its database stores changes again once a retry has stored its whole state", async () => {
  const level = (fader: number) => `/audio/mixers/0/faders/${fader}/fader`;
  const read = readConfiguration({ mixers: [{ faders: 3 }] });
  if ("faults" in read) throw new Error("the configuration has faults");
  const { configuration } = read;
  let why: string | undefined;
  using storage = sqliteStorage(() => why);
  async function open() {
    const replay = beginReplay(configuration);
    const log = await openSqlLog(storage, {
      replay: replay.read,
      checkpoint: () => desk.checkpoint(),
    });
    const desk = createConsole({ ...machine, state: replay.end(), store: log });
    return { log, desk };
  }
  const { log, desk } = await open();
  const storeAgain = async () => {
    await log.retry({ stale: true });
    desk.checkpointEnded(log.condition.state === "ok");
  };
  why = "disk I/O error";
  await desk.dispatch(set(level(0), -10), DEVICE);
  await storeAgain();
  assertEquals(desk.unstored, true);
  why = undefined;
  const played = await desk.dispatch(set(level(1), -20), DEVICE);
  assertEquals(played, { result: -20, durable: false });
  await storeAgain();
  assertEquals(desk.unstored, false);
  assertEquals(await desk.dispatch(set(level(2), -30), DEVICE), { result: -30 });
  const again = await open();
  const found = [0, 1, 2].map((fader) => get(again.desk, level(fader)));
  assertEquals(found, [-10, -20, -30].map((value) => ({ value })));
});

Deno.test("a record is acknowledged once the database confirms that it is on the medium", async () => {
  const synced = Promise.withResolvers<void>();
  using storage = sqliteStorage();
  const { sql } = storage;
  const transactionSync = storage.transactionSync.bind(storage);
  let syncs = 0;
  const sync = () => (syncs++, synced.promise);
  const log = await openSqlLog({ sql, transactionSync, sync });
  let isStored = false;
  const stored = log.append(record("a")).then(() => isStored = true);
  await until(() => syncs === 1);
  // Nothing but the confirmation takes longer than a turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals([storage.rows, isStored], [1, false]);
  synced.resolve();
  await stored;
});

Deno.test("what the database took but did not confirm is undone with the next record, and a checkpoint stays", async () => {
  let isLost = false;
  using storage = sqliteStorage();
  const { sql, transactionSync } = storage;
  const sync = async () => {
    if (isLost) throw new Error("storage timed out");
    await storage.sync();
  };
  const checkpoint = () => ["x", "y", "z"].map(record);
  const log = await openSqlLog({ sql, transactionSync, sync }, { checkpoint });
  const afterRestart = async () => {
    const { found, options } = collecting();
    await openSqlLog(storage, options);
    return found;
  };
  await log.append(record("a"));
  isLost = true;
  for (const one of ["b", "c"]) await assertRejects(() => log.append(record(one)), StorageError);
  isLost = false;
  await log.append(record("d"));
  assertEquals(await afterRestart(), ["a", "d"]);
  isLost = true;
  await assertRejects(() => log.compact(), StorageError);
  await assertRejects(() => log.append(record("e")), StorageError);
  isLost = false;
  await log.append(record("f"));
  assertEquals(await afterRestart(), ["x", "y", "z", "f"]);
});

Deno.test("a refusal says that a restart may find the record only where the database has it but does not confirm it", async () => {
  let isBroken = false;
  using storage = sqliteStorage(() => isBroken ? "disk I/O error" : undefined);
  const { sql } = storage;
  const transactionSync = storage.transactionSync.bind(storage);
  const sync = () => Promise.reject(new Error("storage timed out"));
  const log = await openSqlLog({ sql, transactionSync, sync });
  const refusalOf = async (text: string) => {
    const error = await assertRejects(() => log.append(record(text)), StorageError);
    return [error.certain, error.message];
  };
  const unconfirmed = "the change could not be stored: storage timed out; " +
    "it may be found after a restart";
  assertEquals(await refusalOf("a"), [false, unconfirmed]);
  assertEquals(log.condition, { state: "readonly", why: "storage timed out" });
  isBroken = true;
  assertEquals(await refusalOf("b"), [true, "the change could not be stored: disk I/O error"]);
  const { found, options } = collecting();
  await openSqlLog(storage, options);
  assertEquals(found, ["a"]);
});
