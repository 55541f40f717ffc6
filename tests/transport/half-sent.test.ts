import { assertEquals } from "@std/assert";
import { createHalfSentQuota } from "../../transport/half-sent.ts";
import { passingTime } from "../timers.ts";

/** A quota of 100 bytes, whose members are named `address/name`. */
function quotaOf100() {
  const { timer, pass } = passingTime();
  const quota = createHalfSentQuota(() => 100, timer);
  const dropped: string[] = [];
  const join = (name: string) => quota.join(name.split("/")[0]!, 0, () => void dropped.push(name));
  return { join, pass, dropped };
}

Deno.test("the address that holds most loses its largest connection, not whoever is largest of all", () => {
  const { join, dropped } = quotaOf100();
  const [honest, small, large, other] = ["a/1", "b/1", "b/2", "b/3"].map(join);
  honest!.grew(40);
  small!.grew(15);
  large!.grew(25);
  other!.grew(20);
  assertEquals(dropped, []);
  small!.grew(1);
  assertEquals(dropped, ["b/2"]);
});

Deno.test("of equal connections the oldest goes, and no more than have to", () => {
  const { join, dropped } = quotaOf100();
  for (const one of ["a/1", "a/2", "a/3", "a/4", "a/5"].map(join)) one.grew(25);
  assertEquals(dropped, ["a/1"]);
});

Deno.test("what is whole, and who has left, holds nothing", () => {
  const { join, dropped } = quotaOf100();
  const [one, two, three] = ["a/1", "a/2", "a/3"].map(join);
  one!.grew(90);
  one!.whole(0);
  two!.grew(90);
  two!.leave();
  three!.grew(90);
  assertEquals(dropped, []);
});

Deno.test("time forgives no connection what it holds in any case", () => {
  const { timer, pass } = passingTime();
  const held = createHalfSentQuota(() => 100, timer).join("a", 40, () => {});
  for (const whole of [40, 50]) {
    for (let hour = 0; hour < 10; hour++) {
      pass(60 * 60 * 1000);
      held.grew(1);
    }
    assertEquals(held.bytes, whole + 1);
    held.whole(50);
  }
});
