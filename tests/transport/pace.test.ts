import { assertEquals } from "@std/assert";
import { createPace } from "../../transport/pace.ts";
import { passingTime } from "../timers.ts";

const INTERVAL = 40;

Deno.test("work is due at once after a pause, else an interval after the last work", () => {
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

Deno.test("late work delays the next only as far as the interval requires", () => {
  const { timer, pass } = passingTime();
  const pace = createPace(timer, INTERVAL);
  assertEquals(pace.next(), 0);
  pass(12);
  pace.begun();
  assertEquals(pace.next(), INTERVAL);
  pass(10 * INTERVAL);
  pace.begun();
  // Missed work is not caught up.
  assertEquals(pace.next(), 12 + 10 * INTERVAL);
});
