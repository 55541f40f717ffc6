import { assertEquals } from "@std/assert";
import { createHubClock } from "../../../fleet/uplink/hub-clock.ts";
import { passingTime } from "../../timers.ts";

/** A clock of a hub whose time is 1,000,000 ms ahead, dialled 50 ms ago. */
function dialled() {
  const { timer, pass } = passingTime();
  const clock = createHubClock(timer);
  pass(50);
  return { clock, pass, time: () => 1_000_000 + timer.monotonic() };
}

Deno.test("before a welcome the time of the hub is unknown", () => {
  const { clock } = dialled();
  assertEquals([clock.now(), clock.latest()], [undefined, undefined]);
});

Deno.test("a welcome that was delayed does not make the latest possible time of the hub too early", () => {
  const { clock, pass, time } = dialled();
  const sent = time();
  pass(5000);
  clock.welcomed(sent);
  assertEquals(clock.latest()! >= time(), true);
});

Deno.test("the beat with the shortest round trip sets the time of the hub", () => {
  const { clock, pass, time } = dialled();
  clock.welcomed(time());
  clock.beaten(1);
  pass(10);
  const heardAt = time();
  pass(400);
  const sent = time();
  pass(10);
  clock.heard(sent, { t: 1, ms: sent - heardAt });
  assertEquals([clock.now(), clock.latest()], [time(), time() + 10]);
  // The next beat waits 5 s in a buffer.
  clock.beaten(2);
  pass(10);
  const late = time();
  pass(5000);
  clock.heard(late, { t: 2, ms: 0 });
  assertEquals(clock.now(), time());
});

Deno.test("when the clock of a hub is set, the console follows it with the next beat", () => {
  const { clock, pass, time } = dialled();
  clock.welcomed(time());
  for (const set of [3_600_000, -3_600_000]) {
    clock.beaten(set);
    pass(20);
    clock.heard(time() + set, { t: set, ms: 0 });
    assertEquals(clock.now(), time() + set + 10);
  }
});
