/** The interval of meters, which the page adapts to the measured round trips. */
import { assert, assertEquals } from "@std/assert";
import { createPace } from "../../../view/state/pace.ts";

/** A pace; `tell` reports a round trip of `ms` to it every half second, `times` times. */
function paced() {
  const pace = createPace();
  let now = 0;
  return {
    pace,
    tell(ms: number, times: number) {
      for (let trip = 0; trip < times; trip++) pace.took(ms, now += 500);
    },
  };
}

Deno.test("on a network without delay meters come every 40 ms after at most five seconds", () => {
  const { pace, tell } = paced();
  assertEquals(pace.interval, 320);
  tell(3, 9);
  assertEquals(pace.interval, 40);
});

Deno.test("a far console alone does not slow meters down", () => {
  const { pace, tell } = paced();
  tell(300, 9);
  assertEquals(pace.interval, 40);
});

Deno.test("when round trips get longer, meters come less often", () => {
  const { pace, tell } = paced();
  tell(20, 9);
  tell(400, 1);
  assertEquals(pace.interval, 160);
  tell(900, 2);
  assertEquals(pace.interval, 1280);
});

Deno.test("after each slow-down the pace waits longer before meters are faster again", () => {
  const { pace, tell } = paced();
  const tries: number[] = [];
  for (let round = 0; round < 4; round++) {
    tell(20, 400);
    assertEquals(pace.interval, 40);
    tell(500, 1);
    let trips = 0;
    for (const slow = pace.interval; pace.interval === slow; trips++) tell(20, 1);
    tries.push(trips);
  }
  assert(tries.every((trips, at) => at === 0 || trips >= 2 * tries[at - 1]!), tries.join());
});

Deno.test("on a network that delays some round trips the interval stays", () => {
  const { pace, tell } = paced();
  for (let trip = 0; trip < 100; trip++) tell(trip % 2 === 0 ? 140 : 20, 1);
  assertEquals(pace.interval, 320);
});
