import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createTimeouts } from "../../../transport/intake/timeouts.ts";
import { passingTime } from "../../timers.ts";

const MS = 10;

Deno.test("each of many timeouts is over after its time, unless it was stopped; one timer serves all", () => {
  const anySteps = fc.array(fc.record({ stop: fc.boolean(), wait: fc.nat(2 * MS) }));
  fc.assert(fc.property(anySteps, (steps) => {
    const { timer, pass, pending } = passingTime();
    const start = createTimeouts(timer, MS);
    const expected: number[] = [];
    const over: number[] = [];
    for (const { stop, wait } of steps) {
      const due = timer.monotonic() + MS;
      const stopIt = start(() => over.push(timer.monotonic()));
      assertEquals(pending(), 1);
      if (stop) stopIt();
      else expected.push(due);
      pass(wait);
    }
    pass(MS);
    assertEquals([over, pending()], [expected, 0]);
  }));
});

Deno.test("stopping a timeout that has expired has no effect", () => {
  const { timer, pass } = passingTime();
  let over = 0;
  const stop = createTimeouts(timer, MS)(() => over++);
  pass(MS);
  stop();
  pass(MS);
  assertEquals(over, 1);
});
