import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  createPlaneHand,
  nearest,
  type PlaneTouch,
} from "../../../../../view/pages/mixer/wide/plane-hand.ts";

/** A plane with two handles, 200 pixels apart, and the record of their changes. */
function plane(chosen: string | undefined = "b") {
  const at: Record<string, { x: number; y: number }> = {
    a: { x: 100, y: 100 },
    b: { x: 300, y: 100 },
  };
  const told: string[] = [];
  const widths: Record<string, number> = { a: 1, b: 1 };
  const hand = createPlaneHand({
    places: () => Object.entries(at).map(([name, place]) => ({ name, ...place })),
    chosen: () => chosen,
    hold: (name) => told.push(`hold ${name}`),
    go(name, right, down, isFine) {
      at[name]!.x += right * (isFine ? 0.1 : 1);
      at[name]!.y += down * (isFine ? 0.1 : 1);
    },
    widen(name, factor) {
      widths[name]! *= factor;
    },
    letGo: (name) => told.push(`let go ${name}`),
    tapTwice: (name) => told.push(`reset ${name}`),
  });
  return { hand, at, told, widths };
}

const touch = (x: number, y: number, also: Partial<PlaneTouch> = {}): PlaneTouch => ({
  id: 1,
  x,
  y,
  time: 0,
  isFine: false,
  ...also,
});

Deno.test("a finger takes the nearest handle within reach, and none beyond", () => {
  const places = [{ name: "a", x: 100, y: 100 }, { name: "b", x: 120, y: 100 }];
  assertEquals(nearest(places, { x: 108, y: 100 }), "a");
  assertEquals(nearest(places, { x: 112, y: 104 }), "b");
  assertEquals(nearest(places, { x: 160, y: 100 }), undefined);
});

Deno.test("a finger moves a handle from its place; a trembling finger does not move it", () => {
  const { hand, at, told } = plane();
  hand.press(touch(110, 90));
  hand.drag(touch(112, 91));
  assertEquals(at.a, { x: 100, y: 100 });
  hand.drag(touch(118, 90));
  hand.drag(touch(148, 70));
  assertEquals(at.a, { x: 134, y: 80 });
  hand.drag(touch(158, 70, { isFine: true }));
  assertEquals(at.a, { x: 135, y: 80 });
  hand.lift(touch(156, 70));
  assertEquals(told, ["hold a", "let go a"]);
});

Deno.test("a drag in one event moves a handle by its length less the trembling threshold", () => {
  const { hand, at } = plane();
  hand.press(touch(100, 100));
  hand.drag(touch(100, 200));
  assertEquals(at.a, { x: 100, y: 196 });
});

Deno.test("two fingers move two handles", () => {
  const { hand, at, told } = plane();
  hand.press(touch(100, 100));
  hand.press(touch(300, 100, { id: 2 }));
  hand.drag(touch(110, 100));
  hand.drag(touch(310, 100, { id: 2 }));
  hand.drag(touch(110, 150));
  hand.drag(touch(310, 60, { id: 2 }));
  assertEquals(at, { a: { x: 106, y: 150 }, b: { x: 306, y: 60 } });
  hand.lift(touch(110, 150));
  hand.lift(touch(310, 60, { id: 2 }));
  assertEquals(told, ["hold a", "hold b", "let go a", "let go b"]);
});

Deno.test("a second finger beside all handles widens the held handle, which stays in its place", () => {
  const { hand, at, widths } = plane();
  hand.press(touch(100, 100));
  hand.press(touch(200, 100, { id: 2 }));
  hand.drag(touch(250, 100, { id: 2 }));
  assertAlmostEquals(widths.a!, 1.5, 1e-9);
  hand.drag(touch(150, 100));
  assertAlmostEquals(widths.a!, 1, 1e-9);
  assertEquals(at.a, { x: 100, y: 100 });
  hand.lift(touch(250, 100, { id: 2 }));
  hand.drag(touch(160, 100));
  assertEquals(at.a, { x: 110, y: 100 }, "the first goes on");
});

Deno.test("two fingers beside all handles widen the chosen handle", () => {
  const { hand, told, widths } = plane();
  hand.press(touch(150, 200));
  hand.press(touch(250, 200, { id: 2 }));
  hand.drag(touch(350, 200, { id: 2 }));
  assertAlmostEquals(widths.b!, 2, 1e-9);
  hand.lift(touch(150, 200));
  hand.lift(touch(350, 200, { id: 2 }));
  assertEquals(told, ["hold b", "let go b"]);
  assert(!hand.isHolding);
});

Deno.test("fingers very near each other do not make a handle endlessly narrow", () => {
  const { hand, widths } = plane();
  hand.press(touch(100, 200));
  hand.press(touch(196, 200, { id: 2 }));
  hand.drag(touch(100, 200, { id: 2 }));
  assertAlmostEquals(widths.b!, 0.25, 1e-9);
  hand.drag(touch(196, 200, { id: 2 }));
  assertAlmostEquals(widths.b!, 1, 1e-9);
});

Deno.test("two taps on a handle reset it, but not with another handle's tap between, nor slowly", () => {
  const { hand, told } = plane();
  const tap = (x: number, time: number) => {
    hand.press(touch(x, 100, { time }));
    hand.lift(touch(x, 100, { time }));
  };
  const resets = () => told.filter((one) => one.startsWith("reset"));
  tap(100, 0);
  tap(300, 100);
  tap(100, 1000);
  tap(100, 2000);
  assertEquals(resets(), []);
  tap(100, 2300);
  assertEquals(resets(), ["reset a"]);
  tap(100, 2400);
  assertEquals(resets(), ["reset a"], "three are not two twice");
});

Deno.test("a moved handle is not tapped", () => {
  const { hand, told } = plane();
  for (const time of [0, 200]) {
    hand.press(touch(100, 100, { time }));
    hand.drag(touch(110, 100, { time }));
    hand.drag(touch(100, 100, { time }));
    hand.lift(touch(100, 100, { time }));
  }
  assertEquals(told.filter((one) => one.startsWith("reset")), []);
});

Deno.test("a cancelled hand releases all handles, and fingers still on the glass move nothing", () => {
  const { hand, at, told } = plane();
  hand.press(touch(100, 100));
  hand.press(touch(300, 100, { id: 2 }));
  hand.cancel();
  hand.drag(touch(150, 150));
  hand.lift(touch(150, 150));
  assertEquals(at.a, { x: 100, y: 100 });
  assertEquals(told, ["hold a", "hold b", "let go a", "let go b"]);
});
