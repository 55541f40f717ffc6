import { assertEquals } from "@std/assert";
import { createStartTime } from "../../program/start-time.ts";

Deno.test("the time of the start follows a clock that is set later, and no small correction of it", () => {
  let now = 4990;
  let monotonic = 0;
  const startTime = createStartTime({ now: () => now, monotonic: () => monotonic });
  const pass = (ms: number, correction: number) => {
    monotonic += ms;
    now += ms + correction;
    return startTime();
  };
  assertEquals(startTime(), 4.99);
  assertEquals(pass(60_000, 1), 4.99);
  assertEquals(pass(60_000, 1_800_000_000_000 - 4991), 1_800_000_000);
  assertEquals(pass(60_000, -2000), 1_800_000_000);
  assertEquals(pass(60_000, -3_600_000), 1_799_996_398);
});
