/** The movement of pots by fingers and keys. */
import { assertEquals } from "@std/assert";
import { afterSteps, stepped } from "../../../../view/pages/console/dial.ts";

const range = { min: -80, max: 10, step: 0.5 };

/** The number of steps, the value before in dB, whether the steps are fine, and the value after. */
const rows = [
  [1, -20, false, -19.5],
  [-1, -20, true, -20.05],
  [10, -20, false, -15],
  [10, 8, false, 10],
  [-Infinity, -20, false, -80],
  [Infinity, -20, true, 10],
] as const;

for (const [steps, from, isFine, to] of rows) {
  Deno.test(`${steps} steps${isFine ? ", fine," : ""} take a pot from ${from} dB to ${to}`, () => {
    assertEquals(afterSteps(steps, from, range, isFine), to);
  });
}

Deno.test("values of a pot are whole steps from its minimum", () => {
  assertEquals(stepped(-19.8, range), -20);
  assertEquals(stepped(0.1, { min: -0.3, max: 1, step: 0.2 }), 0.1);
});
