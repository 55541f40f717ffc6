/** What fingers and keys make of a pot. */
import { assertEquals } from "@std/assert";
import { afterDrag, afterKey, stepped } from "../../../view/pages/console/dial.ts";

const range = { min: -80, max: 10, step: 0.5 };

/** A key, from where, whether it is fine, and to where. */
const keys = [
  ["ArrowUp", -20, false, -19.5],
  ["ArrowRight", -20, false, -19.5],
  ["ArrowDown", -20, false, -20.5],
  ["ArrowLeft", -20, true, -20.05],
  ["PageUp", -20, false, -15],
  ["PageDown", -20, false, -25],
  ["PageUp", 8, false, 10],
  ["Home", -20, false, -80],
  ["End", -20, false, 10],
  ["a", -20, false, undefined],
] as const;

for (const [key, from, isFine, to] of keys) {
  Deno.test(`${key}${isFine ? ", fine," : ""} takes a pot from ${from} dB to ${to}`, () => {
    assertEquals(afterKey(key, from, range, isFine), to);
  });
}

Deno.test("a finger moves a pot as far as it goes, wherever it touches, and finely by a tenth", () => {
  assertEquals(afterDrag(-20, 0, range, false), -20);
  assertEquals(afterDrag(-20, 0.1, range, false), -11);
  assertEquals(afterDrag(-20, 0.1, range, true), -19.1);
  assertEquals([afterDrag(-20, 2, range, false), afterDrag(-20, -2, range, false)], [10, -80]);
});

Deno.test("Shift in the middle of a drag moves nothing of itself, and slows what follows", () => {
  let place = -20;
  const shown = [false, true, true, false].map((isFine) => {
    place = afterDrag(place, 0.1, range, isFine);
    return stepped(place, range, isFine);
  });
  assertEquals(shown, [-11, -10.1, -9.2, 0]);
  assertEquals(stepped(afterDrag(-11, 0, range, true), range, true), -11, "pressed, not moved");
});

Deno.test("steps of a finger that are less than one of the pot add up", () => {
  let place = -20;
  for (let count = 0; count < 10; count++) place = afterDrag(place, 0.001, range, false);
  assertEquals(stepped(place, range), -19);
});

Deno.test("a pot has whole steps from its least value", () => {
  assertEquals(stepped(-19.8, range), -20);
  assertEquals(stepped(0.1, { min: -0.3, max: 1, step: 0.2 }), 0.1);
});
