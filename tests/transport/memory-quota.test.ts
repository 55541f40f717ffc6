/** Eviction of admissions that hold more memory than their quota. */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { createMemoryQuota, type MemoryQuota } from "../../transport/memory-quota.ts";
import { countReceiveBuffer } from "../../transport/receive-buffer.ts";
import { passingTime } from "../timers.ts";

/** An allocation named `address/name`, which releases its memory when it is evicted. */
function admit(quota: MemoryQuota, name: string) {
  const allocation = { name, bytes: 0, isEvicted: false };
  const { grew, settle, leave } = quota({
    address: name.split("/")[0]!,
    held: () => allocation.bytes,
    evict() {
      allocation.bytes = 0;
      allocation.isEvicted = true;
    },
  });
  const hold = (bytes: number) => {
    allocation.bytes += bytes;
    grew(bytes);
  };
  return Object.assign(allocation, { hold, settle, leave });
}

/** Bytes that allocations grow by in a quota of 100, in order, and those evicted by the last. */
const cases: Record<string, [held: [name: string, bytes: number][], evicted: string[]]> = {
  "none within the quota": [[["a/1", 60], ["b/1", 40]], []],
  "the largest of one address, and no more than necessary": [
    [["a/1", 10], ["a/2", 60], ["a/3", 30], ["a/1", 1]],
    ["a/2"],
  ],
  "the largest of the address that holds most, not the largest of all": [
    [["a/1", 40], ["b/1", 15], ["b/2", 25], ["b/3", 20], ["b/1", 1]],
    ["b/2"],
  ],
  "the oldest of equals": [["1", "2", "3", "4", "5"].map((one) => [`a/${one}`, 25]), ["a/1"]],
  "none if there is a single allocation": [[["a/1", 300]], []],
  "an allocation of more than the quota, once another comes": [[["a/1", 300], ["b/1", 10]], [
    "a/1",
  ]],
};

for (const [who, [held, evicted]] of Object.entries(cases)) {
  Deno.test(`an allocation that grows evicts ${who}`, () => {
    const quota = createMemoryQuota(() => 100);
    const allocations = new Map<string, ReturnType<typeof admit>>();
    for (const [name, bytes] of held) {
      if (!allocations.has(name)) allocations.set(name, admit(quota, name));
      allocations.get(name)!.hold(bytes);
    }
    const gone = [...allocations.values()].filter(({ isEvicted }) => isEvicted);
    assertEquals(gone.map(({ name }) => name), evicted);
  });
}

Deno.test("memory that an allocation has released without notice is available", () => {
  const quota = createMemoryQuota(() => 100);
  const one = admit(quota, "a/1");
  const other = admit(quota, "a/2");
  for (let round = 0; round < 10; round++) {
    one.hold(90);
    one.bytes = 0;
    other.hold(9);
    other.bytes = 0;
  }
  assertEquals([one.isEvicted, other.isEvicted], [false, false]);
});

Deno.test("an evicted admission, and one that has left, does not count any more", () => {
  const quota = createMemoryQuota(() => 100);
  const small = admit(quota, "a/1");
  const one = admit(quota, "a/2");
  const other = admit(quota, "a/3");
  small.hold(1);
  one.hold(101);
  one.isEvicted = false;
  one.hold(101);
  assertEquals(one.isEvicted, false);
  small.leave();
  other.hold(100);
  other.leave();
  admit(quota, "a/4").hold(100);
  assertEquals(other.isEvicted, false);
});

Deno.test("within an address, an admission that releases nothing is evicted before a larger one that does", () => {
  const quota = createMemoryQuota(() => 100);
  const reader = admit(quota, "a/1");
  const stalled = admit(quota, "a/2");
  const idle = admit(quota, "a/3");
  reader.hold(60);
  stalled.hold(30);
  const newcomer = admit(quota, "a/4");
  reader.bytes = 50;
  newcomer.hold(15);
  reader.bytes = 40;
  newcomer.bytes = 0;
  const last = admit(quota, "a/5");
  last.hold(50);
  const evicted = [reader, stalled, idle, newcomer, last].map(({ isEvicted }) => isEvicted);
  assertEquals(evicted, [false, true, false, false, false]);
});

Deno.test("a settled admission counts until it leaves, and is not evicted", () => {
  const quota = createMemoryQuota(() => 100);
  const settled = admit(quota, "a/1");
  const late = admit(quota, "a/2");
  settled.hold(90);
  settled.settle();
  late.hold(20);
  assertEquals([settled.isEvicted, late.isEvicted], [false, true]);
  settled.leave();
  const next = admit(quota, "a/3");
  next.hold(100);
  assertEquals(next.isEvicted, false);
});

Deno.test("only a single admission may exceed the quota", () => {
  const step = fc.tuple(fc.nat(4), fc.integer({ min: -50, max: 50 }));
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const quota = createMemoryQuota(() => 100);
    const allocations = Array.from({ length: 5 }, (_, at) => admit(quota, `${at % 2}/${at}`));
    for (const [at, bytes] of steps) {
      const allocation = allocations[at]!;
      if (allocation.isEvicted) continue;
      if (bytes < 0) allocation.bytes = Math.max(0, allocation.bytes + bytes);
      else allocation.hold(bytes);
      const held = allocations.map((one) => one.bytes).filter((own) => own > 0);
      assert(held.length <= 1 || held.reduce((sum, own) => sum + own, 0) <= 100);
    }
  }));
});

Deno.test("a receive buffer does not count complete messages, and counts at least its minimum for an incomplete one", () => {
  const { timer, pass } = passingTime();
  const buffer = countReceiveBuffer(createMemoryQuota(() => 100), "a", 40, timer, () => {});
  for (const whole of [40, 50]) {
    for (let hour = 0; hour < 10; hour++) {
      pass(60 * 60 * 1000);
      buffer.grew(1);
    }
    assertEquals(buffer.bytes, whole + 1);
    buffer.whole(50);
  }
});
