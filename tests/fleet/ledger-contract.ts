/**
 * The contract of every ledger of a fleet, as tests.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { type Ledger, LedgerError } from "../../fleet/ledger/ledger.ts";
import { until } from "../until.ts";
import { entriesOf } from "./ledger-entries.ts";

const conflict = (fault: unknown) =>
  assertEquals(fault instanceof LedgerError ? fault.code : fault, "conflict");

/** Tests ledgers of a kind; `open` opens an empty one for a test. */
export function ledgerContract(
  kind: string,
  open: (test: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  Deno.test(`a ledger of kind ${kind} gives back the last value of each key, by bucket`, () =>
    open(async (ledger) => {
      const first = await ledger.put("users", "anna", { may: "view" });
      const second = await ledger.put("users", "anna", { may: "admin" });
      await ledger.put("codes", "anna", 1);
      assertEquals(second > first, true);
      assertEquals(await entriesOf(ledger, "users"), [
        { key: "anna", value: { may: "admin" }, revision: second },
      ]);
      await ledger.remove("users", "anna");
      await ledger.remove("users", "nobody");
      assertEquals(await entriesOf(ledger, "users"), []);
    }));

  Deno.test(`a ledger of kind ${kind} stores a value only over the expected revision`, () =>
    open(async (ledger) => {
      const revision = await ledger.put("users", "anna", 1, 0);
      conflict(await assertRejects(() => ledger.put("users", "anna", 2, 0)));
      conflict(await assertRejects(() => ledger.remove("users", "anna", revision + 1)));
      const next = await ledger.put("users", "anna", 2, revision);
      assertEquals(await ledger.revision("users", "anna"), next);
      await ledger.remove("users", "anna", next);
      assertEquals(await ledger.revision("users", "anna"), 0);
      await ledger.put("users", "anna", 3, 0);
    }));

  Deno.test(`of simultaneous changes over one revision, a ledger of kind ${kind} stores one`, () =>
    open(async (ledger) => {
      const tried = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) => ledger.put("users", "anna", index, 0)),
      );
      assertEquals(tried.filter(({ status }) => status === "fulfilled").length, 1);
      assertEquals((await entriesOf(ledger, "users")).length, 1);
    }));

  Deno.test(`a watcher of a ledger of kind ${kind} gets each change in order, until it ends`, () =>
    open(async (ledger) => {
      await ledger.put("users", "anna", 1);
      const heard: unknown[] = [];
      // A change that is made before the word "current" may also be reported before it.
      const current = Promise.withResolvers<void>();
      const watching = (async () => {
        for await (const entry of ledger.watch("users")) {
          heard.push(entry === "current" ? entry : [entry.key, entry.value]);
          if (entry === "current") current.resolve();
          if (heard.length === 5) return;
        }
      })();
      await current.promise;
      await ledger.put("codes", "x", 1);
      await ledger.put("users", "ben", 2);
      // Of two successive changes of a key a watcher may get the last alone.
      await until(() => heard.length >= 3);
      await ledger.put("users", "ben", 3);
      await ledger.remove("users", "anna");
      await watching;
      assertEquals(heard, [
        ["anna", 1],
        "current",
        ["ben", 2],
        ["ben", 3],
        ["anna", undefined],
      ]);
      const rest = ledger.watch("users")[Symbol.asyncIterator]();
      assertEquals((await rest.next()).value?.key, "ben");
      await ledger.close();
      assertEquals((await rest.next()).value, "current");
      assertEquals((await rest.next()).done, true);
    }));

  Deno.test(`a ledger of kind ${kind} answers the newest entries of the audit trail first`, () =>
    open(async (ledger) => {
      for (const what of ["one", "two", "three"]) {
        await ledger.append({ time: "2026-01-01T00:00:00Z", user: "anna", from: "x", what });
      }
      assertEquals((await ledger.audit(2)).map(({ what }) => what), ["three", "two"]);
      const told = { user: "anna", from: "x", console: "1".repeat(32) };
      await ledger.append({ time: "2026-01-01T00:00:01Z", what: "told", ...told });
      await ledger.append({ time: "2026-01-01T00:00:02Z", user: "anna", from: "x", what: "four" });
      assertEquals((await ledger.audit(3)).map(({ what }) => what), ["four", "told", "three"]);
      assertEquals(await ledger.audit(0), []);
    }));

  Deno.test(`a call of a closed ledger of kind ${kind} fails as unavailable`, () =>
    open(async (ledger) => {
      await ledger.close();
      const fault = await assertRejects(() => ledger.put("users", "anna", 1), LedgerError);
      assertEquals(fault.code, "unavailable");
    }));
}
