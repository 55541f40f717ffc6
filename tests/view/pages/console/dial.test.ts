/** What fingers and keys make of a pot. */
import { assertEquals } from "@std/assert";
import { afterKey, stepped } from "../../../../view/pages/console/dial.ts";

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

Deno.test("a pot has whole steps from its least value", () => {
  assertEquals(stepped(-19.8, range), -20);
  assertEquals(stepped(0.1, { min: -0.3, max: 1, step: 0.2 }), 0.1);
});
