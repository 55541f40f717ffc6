import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createTimeouts, SWEEP_MS } from "../../../transport/intake/timeouts.ts";
import { passingTime } from "../../timers.ts";

const MS = 3000;

Deno.test("each of many timeouts expires up to a second after its time, unless it was stopped; one timer serves all", () => {
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
      if (stop) assert(stopIt());
      else expected.push(due);
      pass(wait);
    }
    pass(MS + SWEEP_MS);
    assertEquals([over.length, pending()], [expected.length, 0]);
    assert(over.every((time, at) => time >= expected[at]! && time <= expected[at]! + SWEEP_MS));
  }));
});

Deno.test("stopping a timeout that has expired has no effect", () => {
  const { timer, pass } = passingTime();
  let over = 0;
  const stop = createTimeouts(timer, MS)(() => over++);
  pass(MS + SWEEP_MS);
  assert(!stop());
  pass(MS + SWEEP_MS);
  assertEquals(over, 1);
});
