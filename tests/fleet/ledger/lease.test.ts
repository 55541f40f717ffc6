import { assertEquals } from "@std/assert";
import { followLeases } from "../../../fleet/ledger/lease.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { passingTime } from "../../timers.ts";

Deno.test("a hub that takes or renews a lease twice at the same time has it both times", async () => {
  const ledger = await openMemoryLedger();
  const { timer } = passingTime();
  const one = await followLeases(ledger, { hub: "one", timer });
  for (const _ of ["take", "renew"]) {
    const both = [one.take("backup", 60_000), one.take("backup", 60_000)];
    assertEquals(await Promise.all(both), [true, true]);
  }
});

Deno.test("one hub holds the lease of a job until it returns the lease or does not renew it in time", async () => {
  const ledger = await openMemoryLedger();
  const { timer, pass } = passingTime();
  const one = await followLeases(ledger, { hub: "one", timer });
  const two = await followLeases(ledger, { hub: "two", timer });
  const told = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const both = () => Promise.all([one.take("backup", 60_000), two.take("backup", 60_000)]);
  assertEquals(await both(), [true, false]);
  await told();
  assertEquals([await two.take("backup", 60_000), await two.take("other", 1)], [false, true]);
  pass(50_000);
  assertEquals(await one.take("backup", 60_000), true);
  await told();
  pass(59_999);
  assertEquals(await two.take("backup", 60_000), false);
  pass(1);
  assertEquals(await two.take("backup", 60_000), true);
  await told();
  await one.release("backup");
  assertEquals(await one.take("backup", 60_000), false);
  await two.release("backup");
  await told();
  assertEquals(await one.take("backup", 60_000), true);
});
