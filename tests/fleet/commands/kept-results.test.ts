/** The results of kept commands in the ledger (docs/fleet.md). */
import { assertEquals } from "@std/assert";
import { followKeptResults } from "../../../fleet/commands/kept-results.ts";
import { RESULTS } from "../../../fleet/hub/hub-limits.ts";
import type { Bucket } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";

Deno.test("many commands that are settled at once have each old result removed once", async () => {
  const ledger = await openMemoryLedger();
  let now = 0;
  let removed = 0;
  let forgotten = 0;
  const results = await followKeptResults({
    ledger: {
      ...ledger,
      remove(bucket: Bucket, key: string, expect?: number) {
        removed++;
        return ledger.remove(bucket, key, expect);
      },
    },
    clock: { now: () => now },
    isWaiting: () => false,
    forgetBatch() {
      forgotten++;
      return Promise.resolve();
    },
    changed() {},
  });
  const named = (console: string) => ({ id: "b", console, batch: "b" });
  for (const console of ["1", "2", "3"]) {
    await results.store(named(console), { outcome: "done" }, 0);
  }
  now = RESULTS.ms + 1;
  await results.store(named("4"), { outcome: "done" }, 0);
  await Promise.all(Array.from({ length: 50 }, () => results.forgetOld()));
  assertEquals([removed, forgotten], [3, 3]);
  const kept = ["1", "2", "3", "4"].filter((console) => results.of(named(console)) !== undefined);
  assertEquals(kept, ["4"]);
  await ledger.close();
});
