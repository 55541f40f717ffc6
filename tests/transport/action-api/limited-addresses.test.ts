import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { limitedAddresses } from "../../../transport/action-api/limited-addresses.ts";
import { admit, type History } from "../../../transport/action-api/limiter.ts";

const limits = { burst: 10, perSecond: 1, perMinute: 0 };

Deno.test("a client never locks out another: each has its own limit", () => {
  const requests = fc.array(
    fc.tuple(
      fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1", "__proto__", ""),
      fc.nat(400),
    ),
    { maxLength: 200, size: "max" },
  );
  fc.assert(fc.property(requests, (requests) => {
    const together = limitedAddresses();
    const alone = new Map<string, History | undefined>();
    let now = 0;
    for (const [address, gap] of requests) {
      now += gap;
      const expected = admit(alone.get(address), now, limits);
      alone.set(address, expected.history);
      assertEquals(together.admit(address, now, limits), expected);
    }
  }));
});

Deno.test("at most 10,000 addresses are remembered", () => {
  const clients = limitedAddresses();
  for (let index = 0; index < 25_000; index++) {
    assert(clients.admit(`client ${index}`, index, limits).accepted, "a new client is let in");
    assert(clients.size <= 10_000);
  }
  assertEquals(clients.size, 10_000);
});

Deno.test("idle addresses are evicted first: a locked address stays locked while others come and go", () => {
  const clients = limitedAddresses(100);
  for (let request = 0; request < 10; request++) clients.admit("hasty", 0, limits);
  for (let index = 0; index < 400; index++) {
    const now = 1000 + index * 20;
    clients.admit(`passer-by ${index}`, now, limits);
    assertEquals(clients.size, Math.min(index + 2, 100));
  }
  assert(!clients.admit("hasty", 9749, limits).accepted);
  assert(clients.admit("hasty", 10_000, limits).accepted);
});

Deno.test("a new client is admitted even if all others are locked out", () => {
  const clients = limitedAddresses(50);
  for (let index = 0; index < 500; index++) {
    for (let request = 0; request < 10; request++) {
      assert(clients.admit(`attacker ${index}`, 0, limits).accepted);
    }
  }
  assert(clients.admit("newcomer", 1, limits).accepted);
  assertEquals(clients.size, 50);
});

Deno.test("a table of one address works", () => {
  const clients = limitedAddresses(1);
  for (const address of ["a", "b", "a", "c", "c"]) {
    assert(clients.admit(address, 0, limits).accepted);
    assertEquals(clients.size, 1);
  }
});

Deno.test("a limiter that is off remembers no address", () => {
  const clients = limitedAddresses();
  for (let request = 0; request < 100; request++) {
    assert(clients.admit("192.0.2.1", 0, { ...limits, burst: 0 }).accepted);
  }
  assertEquals(clients.size, 0);
});
