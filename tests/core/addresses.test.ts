import { assert, assertEquals } from "@std/assert";
import { createAddresses } from "../../core/addresses.ts";

Deno.test("the number of remembered addresses is limited", () => {
  const addresses = createAddresses<number>(50);
  for (let at = 0; at < 10_000; at++) {
    addresses.set(`address ${at}`, at, () => false);
    assert(addresses.size <= 50);
  }
  assertEquals([addresses.size, addresses.get("address 9999")], [50, 9999]);
});

Deno.test("expired entries are dropped first, the oldest before the others", () => {
  const addresses = createAddresses<number>(4);
  for (const at of [0, 1, 2, 3]) addresses.set(`address ${at}`, at, () => false);
  addresses.set("address 4", 4, (history) => history % 2 === 1);
  const kept = [0, 1, 2, 3, 4].filter((at) => addresses.get(`address ${at}`) !== undefined);
  assertEquals(kept, [0, 2, 3, 4]);
});

Deno.test("an entry of a known address is replaced, and evicts no other", () => {
  const addresses = createAddresses<number>(2);
  addresses.set("a", 1, () => true);
  addresses.set("b", 1, () => true);
  addresses.set("a", 2, () => true);
  assertEquals([addresses.get("a"), addresses.get("b"), addresses.size], [2, 1, 2]);
});
