/** The differences between two snapshots. */
import { assertEquals } from "@std/assert";
import { boolean, number } from "../../../../core/tree/leaf.ts";
import { comparison } from "../../../../view/pages/snapshots/comparison.ts";

const dB = number(0, { step: 0.1, unit: "dB" });
const key = boolean(false);
const ranges = {
  params: { gain: { value: dB, inc: { ...dB, adds: "value" } } },
  fader: dB,
  on: key,
};

Deno.test("a level is listed before a block; read-only values are not compared", () => {
  const one = {
    fader: -20,
    on: true,
    _lastloadedsnap: "A",
    params: { gain: { value: 1, inc: 0 } },
  };
  const other = { fader: -12, on: true, _lastloadedsnap: "B", params: { gain: { value: 2 } } };
  assertEquals(comparison(one, other, ranges), [
    { path: ["fader"], from: -20, to: -12, leaf: dB },
    { path: ["params", "gain", "value"], from: 1, to: 2, leaf: dB },
  ]);
  assertEquals(comparison(one, one, ranges), []);
});

Deno.test("a value that only one of two snapshots has differs; a value that neither has does not", () => {
  const found = comparison({ fader: -20 }, { fader: -20, on: false }, ranges);
  assertEquals(found, [{ path: ["on"], from: undefined, to: false, leaf: key }]);
});
