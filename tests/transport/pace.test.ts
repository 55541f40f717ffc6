import { assertEquals } from "@std/assert";
import { createPace } from "../../transport/pace.ts";
import { passingTime } from "../timers.ts";

const INTERVAL = 40;

Deno.test("work is due at once after a rest, else an interval after the work before", () => {
  const { timer, pass } = passingTime();
  const pace = createPace(timer, INTERVAL);
  pass(15);
  assertEquals(pace.next(), 15);
  pace.begun();
  assertEquals(pace.next(), 15 + INTERVAL);
  pass(INTERVAL + 30);
  assertEquals(pace.next(), 85);
  pace.begun();
  assertEquals(pace.next(), 85 + INTERVAL);
});

Deno.test("work that begins late delays what follows by no more than it has to", () => {
  const { timer, pass } = passingTime();
  const pace = createPace(timer, INTERVAL);
  assertEquals(pace.next(), 0);
  pass(12);
  pace.begun();
  assertEquals(pace.next(), INTERVAL);
  pass(10 * INTERVAL);
  pace.begun();
  // What was missed is not caught up.
  assertEquals(pace.next(), 12 + 10 * INTERVAL);
});
