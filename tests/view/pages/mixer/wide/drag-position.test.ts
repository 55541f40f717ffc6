import { assertEquals } from "@std/assert";
import { number } from "../../../../../core/tree/leaf.ts";
import { createShown } from "../../../../../view/parts/fader/shown.ts";
import { placeOf, valueAt } from "../../../../../view/pages/mixer/wide/slider-scale.ts";
import {
  type Axis,
  createDragPosition,
} from "../../../../../view/pages/mixer/wide/drag-position.ts";

const leaf = number(0, { min: -20, max: 20, step: 0.5, unit: "dB" });

function axisAt(dB: number): Axis {
  const shown = createShown(dB, {
    show() {},
    send: () => new Promise(() => {}),
    now: () => 0,
    later() {},
  });
  return {
    leaf,
    shown,
    placeOf: (value) => placeOf(value, leaf),
    valueAt: (place) => valueAt(place, leaf),
  };
}

Deno.test("movements smaller than a step add up", () => {
  const axis = axisAt(0);
  const position = createDragPosition();
  for (let times = 0; times < 10; times++) position.go(axis, 0.005, false);
  assertEquals(axis.shown.value, 2);
  for (let times = 0; times < 10; times++) position.go(axis, 0.05, true);
  assertEquals(axis.shown.value, 4);
});

Deno.test("a drag continues from the value that another hand has set", () => {
  const axis = axisAt(0);
  const position = createDragPosition();
  axis.shown.hold();
  position.go(axis, 0.1, false);
  axis.shown.told(-10);
  position.go(axis, 0.1, false);
  assertEquals(axis.shown.value, -6);
});

Deno.test("a drag stops at the bounds, and comes back from there at once", () => {
  const axis = axisAt(18);
  const position = createDragPosition();
  position.go(axis, 0.5, false);
  assertEquals(axis.shown.value, 20);
  position.go(axis, -0.1, false);
  assertEquals(axis.shown.value, 16);
});
