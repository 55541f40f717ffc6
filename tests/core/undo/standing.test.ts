/** The value in force compared with the values before and after a step. */
import { assertEquals } from "@std/assert";
import { standingOf } from "../../../core/undo/standing.ts";

/** A level that a step moved from -40 to -10: the level in force, the goal of its fade. */
const rows = [
  ["before its fade moves it counts as the new value", -40, -10, "put"],
  ["while its fade moves it counts as the new value", -25, -10, "put"],
  ["at the end of its fade it is the new value", -10, undefined, "put"],
  ["without a fade and at the former level it is the former value", -40, undefined, "was"],
  ["set by hand during its fade it is changed", -25, undefined, "changed"],
  ["in a fade to another level it is changed", -25, 0, "changed"],
] as const;

for (const [when, now, goal, expected] of rows) {
  Deno.test(`the value in force of a level: ${when}`, () => {
    assertEquals(standingOf(now, -40, -10, goal), expected);
  });
}
