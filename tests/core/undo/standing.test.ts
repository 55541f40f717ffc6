/** How a value in force compares with those before and after a step. */
import { assertEquals } from "@std/assert";
import { standingOf } from "../../../core/undo/standing.ts";

/** A level that a step moved from -40 to -10: the level in force, the goal of its fade. */
const rows = [
  ["before its fade moves it goes there", -40, -10, "put"],
  ["while its fade moves it goes there", -25, -10, "put"],
  ["at the end of its fade it is there", -10, undefined, "put"],
  ["with its fade over and back where it was it is as before", -40, undefined, "was"],
  ["caught by a hand it is changed", -25, undefined, "changed"],
  ["with a fade to another level it is changed", -25, 0, "changed"],
] as const;

for (const [when, now, goal, expected] of rows) {
  Deno.test(`of a value in force: ${when}`, () => {
    assertEquals(standingOf(now, -40, -10, goal), expected);
  });
}
