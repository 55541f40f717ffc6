import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { dBOf, lawPoints, travelOf } from "../../fade/law.ts";
import { FADER_MAX, FADER_MIN } from "../../fade/limits.ts";
import { evenly } from "./evenly.ts";

const level = () => evenly(FADER_MIN, FADER_MAX);
const travel = () => evenly(0, 1);

Deno.test("the law meets every point of the published table exactly, both ways", () => {
  assertEquals([travelOf(10), travelOf(0), travelOf(-160)], [1, 0.75, 0]);
  for (const { dB, travel } of lawPoints) {
    assertEquals(travelOf(dB), travel);
    assertEquals(dBOf(travel), dB);
  }
});

Deno.test("between two points the law is a straight line", () => {
  for (const [i, low] of lawPoints.entries()) {
    const high = lawPoints[i - 1];
    if (high === undefined) continue;
    for (const part of [0.25, 0.5, 0.75]) {
      const dB = low.dB + part * (high.dB - low.dB);
      const at = low.travel + part * (high.travel - low.travel);
      assertAlmostEquals(travelOf(dB), at, 1e-12);
      assertAlmostEquals(dBOf(at), dB, 1e-12);
    }
  }
});

Deno.test("the law is fine around 0 dB and coarse below -60 dB: each segment is steeper than the one above it", () => {
  const step = 1e-6;
  const steepness = lawPoints.slice(1).map(({ travel }) =>
    (dBOf(travel + step) - dBOf(travel)) / step
  );
  for (const [i, dBPerTravel] of steepness.entries()) {
    assert(dBPerTravel > (steepness[i - 1] ?? 0), `line ${i}: ${steepness}`);
  }
});

Deno.test("dB to travel and back, and travel to dB and back, is exact within 1e-9", () => {
  fc.assert(fc.property(level(), (dB) => Math.abs(dBOf(travelOf(dB)) - dB) <= 1e-9));
  fc.assert(fc.property(travel(), (at) => Math.abs(travelOf(dBOf(at)) - at) <= 1e-9));
});

Deno.test("the law is strictly monotone both ways, also in the last bit", () => {
  const rises = (law: (value: number) => number) => (a: number, b: number) => {
    const [low, high] = a < b ? [a, b] : [b, a];
    return high - low > 1e-9 ? law(low) < law(high) : law(low) <= law(high);
  };
  fc.assert(fc.property(level(), level(), rises(travelOf)), { numRuns: 1000 });
  fc.assert(fc.property(travel(), travel(), rises(dBOf)), { numRuns: 1000 });
  const close = fc.integer({ min: -40, max: 40 }).map((n) => n * Number.EPSILON);
  const atPoint = fc.constantFrom(...lawPoints.slice(1, -1));
  fc.assert(
    fc.property(
      atPoint,
      close,
      close,
      ({ dB, travel }, a, b) =>
        rises(travelOf)(dB + a, dB + b) && rises(dBOf)(travel + a, travel + b),
    ),
    { numRuns: 1000 },
  );
});

Deno.test("a level outside -160..10 dB or a travel outside 0..1 is refused by name and value", () => {
  for (const dB of [10.001, -160.001, NaN, Infinity, -Infinity]) {
    assertThrows(() => travelOf(dB), RangeError, `dB is ${dB}, expected -160..10`);
  }
  for (const at of [1.001, -0.001, NaN, Infinity, -Infinity]) {
    assertThrows(() => dBOf(at), RangeError, `travel is ${at}, expected 0..1`);
  }
});
