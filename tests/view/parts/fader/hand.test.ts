import { assertAlmostEquals, assertEquals } from "@std/assert";
import { createHand, type Touch } from "../../../../view/parts/fader/hand.ts";
import { levelAt, travelAt } from "../../../../view/parts/fader/scale.ts";

const HEIGHT = 400;

/** A fader of 400 pixels at a level, its hand, and the levels that the hand has set. */
function fader(dB: number, jumps = false) {
  const levels: number[] = [];
  const turns: string[] = [];
  let level = dB;
  const hand = createHand({
    level: () => level,
    height: () => HEIGHT,
    jumps: () => jumps,
    hold: () => turns.push("hold"),
    move(dB) {
      level = dB;
      levels.push(dB);
    },
    letGo: () => turns.push("let go"),
  });
  const moveElsewhere = (dB: number) => void (level = dB);
  return { hand, levels, turns, travel: () => travelAt(level), moveElsewhere };
}

const at = (y: number, also: Partial<Touch> = {}): Touch => ({
  id: 1,
  y,
  time: 0,
  isFine: false,
  ...also,
});

Deno.test("a fader touched beside its knob does not jump: it moves by the distance that the finger moves", () => {
  const { hand, levels, travel } = fader(0);
  hand.press(at(350));
  assertEquals(levels, []);
  hand.drag(at(346));
  hand.drag(at(306));
  assertAlmostEquals(travel(), 0.85, 0.001);
  hand.drag(at(346));
  assertAlmostEquals(travel(), 0.75, 0.001);
});

Deno.test("a moving hand continues from the level that another hand has set", () => {
  const { hand, travel, moveElsewhere } = fader(0);
  hand.press(at(350));
  hand.drag(at(346));
  hand.drag(at(386));
  moveElsewhere(levelAt(0.3));
  hand.drag(at(376));
  assertAlmostEquals(travel(), 0.325, 0.001);
  hand.drag(at(366));
  assertAlmostEquals(travel(), 0.35, 0.001);
});

Deno.test("with jumping enabled a fader jumps to the touched position, and moves on from there", () => {
  const { hand, travel } = fader(-160, true);
  hand.press(at(200));
  assertAlmostEquals(travel(), 0.5, 0.001);
  hand.drag(at(196));
  hand.drag(at(156));
  assertAlmostEquals(travel(), 0.6, 0.001);
});

Deno.test("a key or a second finger makes the movement ten times as fine", () => {
  const { hand, travel } = fader(0);
  hand.press(at(200));
  hand.drag(at(204));
  hand.drag(at(304, { isFine: true }));
  assertAlmostEquals(travel(), 0.725, 0.001);
  hand.press(at(100, { id: 2 }));
  hand.drag(at(0, { id: 2 }));
  assertAlmostEquals(travel(), 0.725, 0.001, "the second finger moves nothing itself");
  hand.drag(at(204));
  assertAlmostEquals(travel(), 0.75, 0.001);
  hand.lift(at(100, { id: 2 }));
  hand.drag(at(244));
  assertAlmostEquals(travel(), 0.65, 0.002, "coarse again");
});

Deno.test("a second finger that stays on the fader makes the next movement fine, too", () => {
  const { hand, travel } = fader(0);
  hand.press(at(200));
  hand.press(at(100, { id: 2 }));
  hand.lift(at(200));
  hand.press(at(200, { id: 3 }));
  hand.drag(at(204, { id: 3 }));
  hand.drag(at(304, { id: 3 }));
  assertAlmostEquals(travel(), 0.725, 0.001);
  hand.cancel();
  hand.press(at(200, { id: 4 }));
  hand.drag(at(204, { id: 4 }));
  hand.drag(at(244, { id: 4 }));
  assertAlmostEquals(travel(), 0.625, 0.003, "a cancelled hand forgets its fingers");
});

Deno.test("a finger that turns back beyond the end moves the fader at once", () => {
  const { hand, travel } = fader(5);
  hand.press(at(50));
  hand.drag(at(46));
  hand.drag(at(-400));
  assertEquals(travel(), 1);
  hand.drag(at(-360));
  assertAlmostEquals(travel(), 0.9, 0.001);
});

Deno.test("a trembling finger moves nothing", () => {
  const { hand, levels } = fader(-12);
  hand.press(at(100));
  for (const y of [101, 98, 103, 100]) hand.drag(at(y));
  hand.lift(at(100));
  assertEquals(levels, []);
});

const ZERO = (1 - travelAt(0)) * HEIGHT;
const taps: readonly (readonly [
  said: string,
  first: Partial<Touch>,
  then: Partial<Touch>,
  levels: readonly number[],
])[] = [
  ["near 0 dB sets 0 dB", { y: ZERO + 10 }, { y: ZERO - 10, time: 300 }, [0]],
  ["elsewhere sets nothing", { y: 300 }, { y: 300, time: 300 }, []],
  ["with one tap elsewhere sets nothing", { y: 300 }, { y: ZERO, time: 300 }, []],
  ["too slow sets nothing", { y: ZERO }, { y: ZERO, time: 400 }, []],
];
for (const [said, first, then, expected] of taps) {
  Deno.test(`a double tap ${said}`, () => {
    const { hand, levels } = fader(-12);
    for (const touch of [first, then]) {
      hand.press(at(0, touch));
      hand.lift(at(0, touch));
    }
    assertEquals(levels, expected);
  });
}

Deno.test("the fader is held until the first finger lifts, whatever other fingers do", () => {
  const { hand, turns } = fader(0);
  hand.press(at(100));
  hand.press(at(200, { id: 2 }));
  hand.lift(at(200, { id: 2 }));
  assertEquals([turns, hand.isHolding], [["hold"], true]);
  hand.lift(at(100));
  hand.cancel();
  assertEquals([turns, hand.isHolding], [["hold", "let go"], false]);
});

Deno.test("a cancelled hand holds nothing, even while the finger is still on the fader", () => {
  const { hand, levels, turns } = fader(0);
  hand.press(at(100));
  hand.cancel();
  hand.drag(at(200));
  assertEquals([levels, turns], [[], ["hold", "let go"]]);
});

Deno.test("levels are in tenths of a dB", () => {
  for (let travel = 0; travel <= 1; travel += 0.001) {
    const dB = levelAt(travel);
    assertEquals(Number(dB.toFixed(1)), dB);
    assertEquals(Object.is(dB, -0), false);
  }
});
