import { assertAlmostEquals, assertEquals } from "@std/assert";
import { createTickGrid } from "../../../engine/web-audio/tick-grid.ts";
import { chance } from "../../../engine/simulated/noise.ts";

Deno.test("ticks that come with jitter are played 20 ms apart", () => {
  const grid = createTickGrid();
  const first = grid.timeOf(100, 5);
  for (const [number, late] of [[101, 0.0], [102, -0.004], [103, -0.015], [104, 0]] as const) {
    const planned = first + (number - 100) * 0.02;
    assertAlmostEquals(grid.timeOf(number, planned + late), planned, 1e-9);
  }
});

Deno.test("with a jitter of up to 4 ms all ticks are played 20 ms apart, whatever the delay of the first", () => {
  for (let seed = 0; seed < 100; seed++) {
    const grid = createTickGrid();
    const played = Array.from(
      { length: 100 },
      (_, tick) => grid.timeOf(tick, 7 + tick * 0.02 + 0.004 * chance(seed, 0, tick)),
    );
    for (const [tick, time] of played.entries()) {
      assertAlmostEquals(time, played[0]! + tick * 0.02, 1e-9);
    }
  }
});

Deno.test("a tick that comes too late is played soon, and the later ticks follow it 20 ms apart", () => {
  const grid = createTickGrid();
  grid.timeOf(7, 1);
  assertEquals(grid.timeOf(8, 1.03), 1.035);
  assertAlmostEquals(grid.timeOf(9, 1.04), 1.055, 1e-9);
});

Deno.test("a jump in the numbers of ticks begins a new grid at once", () => {
  const grid = createTickGrid();
  grid.timeOf(4711, 1);
  assertEquals(grid.timeOf(1, 2), 2.005);
  assertEquals(grid.timeOf(9000, 3), 3.005);
});
