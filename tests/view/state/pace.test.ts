/** How often the page asks for meters, by the round trips that it measures. */
import { assert, assertEquals } from "@std/assert";
import { createPace } from "../../../view/state/pace.ts";

/** A pace to which a round trip of `ms` is told every half second, `times` times. */
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

Deno.test("on a network that delays nothing meters come every 40 ms within five seconds", () => {
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

Deno.test("where round trips take longer than before, meters come less often", () => {
  const { pace, tell } = paced();
  tell(20, 9);
  tell(400, 1);
  assertEquals(pace.interval, 160);
  tell(900, 2);
  assertEquals(pace.interval, 1280);
});

Deno.test("meters that were too fast wait longer each time before they are faster again", () => {
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

Deno.test("a network that delays some of the round trips keeps its interval", () => {
  const { pace, tell } = paced();
  for (let trip = 0; trip < 100; trip++) tell(trip % 2 === 0 ? 140 : 20, 1);
  assertEquals(pace.interval, 320);
});
