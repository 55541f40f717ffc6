import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { createShare, type Share } from "../../transport/share.ts";

/** A holder of a share, which lets go of all when it is told to. */
function holderIn(share: Share) {
  const holder = { bytes: 0, gaveUp: 0 };
  const held = share({
    held: () => holder.bytes,
    giveUp() {
      holder.bytes = 0;
      holder.gaveUp++;
    },
  });
  const hold = (bytes: number) => {
    holder.bytes += bytes;
    held.grew(bytes);
  };
  return Object.assign(holder, { hold, leave: held.leave });
}

Deno.test("where a share is used up, who holds most goes first, and no more than need to", () => {
  const share = createShare(() => 100);
  const [small, large, middle] = [holderIn(share), holderIn(share), holderIn(share)];
  small.hold(10);
  large.hold(60);
  middle.hold(30);
  assertEquals([small.gaveUp, large.gaveUp, middle.gaveUp], [0, 0, 0]);
  small.hold(1);
  assertEquals([small.gaveUp, large.gaveUp, middle.gaveUp], [0, 1, 0]);
});

Deno.test("what was let go of meanwhile, without a word, makes room", () => {
  const share = createShare(() => 100);
  const [one, other] = [holderIn(share), holderIn(share)];
  for (let round = 0; round < 10; round++) {
    one.hold(90);
    one.bytes = 0;
    other.hold(9);
    other.bytes = 0;
  }
  assertEquals([one.gaveUp, other.gaveUp], [0, 0]);
});

Deno.test("who gave up, or left, holds nothing and is not asked again", () => {
  const share = createShare(() => 100);
  const [small, one, other] = [holderIn(share), holderIn(share), holderIn(share)];
  small.hold(1);
  one.hold(101);
  one.hold(101);
  assertEquals(one.gaveUp, 1);
  small.leave();
  other.hold(100);
  other.leave();
  holderIn(share).hold(100);
  assertEquals(other.gaveUp, 0);
});

Deno.test("who lets nothing go goes before who holds more and does", () => {
  const share = createShare(() => 100);
  const [reader, stalled] = [holderIn(share), holderIn(share)];
  reader.hold(60);
  stalled.hold(30);
  const newcomer = holderIn(share);
  reader.bytes = 50;
  newcomer.hold(15);
  reader.bytes = 40;
  newcomer.bytes = 0;
  const last = holderIn(share);
  last.hold(50);
  const gaveUp = [reader, stalled, newcomer, last].map((one) => one.gaveUp);
  assertEquals(gaveUp, [0, 1, 0, 0]);
});

Deno.test("who is alone may hold more than the share, until another comes", () => {
  const share = createShare(() => 100);
  const large = holderIn(share);
  large.hold(300);
  assertEquals(large.gaveUp, 0);
  holderIn(share).hold(10);
  assertEquals(large.gaveUp, 1);
});

Deno.test("whatever is held, more is held than the share by one alone", () => {
  const step = fc.tuple(fc.nat(4), fc.integer({ min: -50, max: 50 }));
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const share = createShare(() => 100);
    const holders = Array.from({ length: 5 }, () => holderIn(share));
    for (const [at, bytes] of steps) {
      const holder = holders[at]!;
      if (holder.gaveUp > 0) continue;
      if (bytes < 0) holder.bytes = Math.max(0, holder.bytes + bytes);
      else holder.hold(bytes);
      const held = holders.map((one) => one.bytes).filter((bytes) => bytes > 0);
      assert(held.length <= 1 || held.reduce((sum, one) => sum + one, 0) <= 100);
    }
  }));
});
