/** The copy of a bucket of the ledger in a hub. */
import { assertEquals } from "@std/assert";
import { followBucket } from "../../../fleet/ledger/followed-bucket.ts";
import type { Ledger } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { until } from "../../service.ts";

Deno.test("a value that another hub removes before its put is acknowledged here stays removed", async () => {
  const ledger = await openMemoryLedger();
  const acknowledged = Promise.withResolvers<void>();
  const late: Ledger = {
    ...ledger,
    async put(...given) {
      const revision = await ledger.put(...given);
      if (given[1] === "ben") await acknowledged.promise;
      return revision;
    },
  };
  const users = await followBucket(late, "users", (value) => Object(value) as object);
  const put = users.put("ben", { may: "admin" });
  await until(() => users.values.has("ben"));
  await ledger.remove("users", "ben");
  await until(() => !users.values.has("ben"));
  acknowledged.resolve();
  await put;
  assertEquals([...users.values.keys()], []);
  await users.put("ben", { may: "view" });
  assertEquals([users.values.get("ben"), users.revision("ben")], [{ may: "view" }, 3]);
  await ledger.close();
});

Deno.test("a value that this version cannot read is known to be current, so that nothing waits for it", async () => {
  const ledger = await openMemoryLedger();
  const users = await followBucket(ledger, "users", () => undefined);
  await ledger.put("users", "ben", { may: "conduct" });
  assertEquals(await users.isCurrent("anna"), true);
  while (!await users.isCurrent("ben")) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(users.revision("ben"), 0);
  await ledger.close();
});
