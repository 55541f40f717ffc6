/** Buttons of external lists go down and come up exactly as they are held. */
import { assertEquals } from "@std/assert";
import { createHeld } from "../../../../view/pages/lists/held.ts";

function start() {
  const told: string[] = [];
  const held = createHeld((list, entry, on) => told.push(`${list}/${entry} ${on}`), () => {});
  /** What was told since the last call. */
  return { held, news: () => told.splice(0) };
}

Deno.test("a button is told of when it goes down, and when it comes up, once each", () => {
  const { held, news } = start();
  held.press("finger", 1, 3);
  assertEquals([held.isHeld(1, 3), held.isHeld(1, 2), held.isHeld(2, 3)], [true, false, false]);
  assertEquals(news(), ["1/3 1"]);
  held.release("finger");
  held.release("finger");
  assertEquals(news(), ["1/3 0"]);
  assertEquals(held.isHeld(1, 3), false);
});

Deno.test("a button that several fingers hold comes up with the last of them", () => {
  const { held, news } = start();
  held.press("one", 1, 3);
  held.press("two", 1, 3);
  held.release("one");
  assertEquals(news(), ["1/3 1"]);
  held.release("two");
  assertEquals(news(), ["1/3 0"]);
});

Deno.test("a finger that takes hold of another button lets go of the first", () => {
  const { held, news } = start();
  held.press("finger", 1, 3);
  held.press("finger", 1, 4);
  assertEquals(news(), ["1/3 1", "1/3 0", "1/4 1"]);
});

Deno.test("all that is held is let go at once, of one button or of all", () => {
  const { held, news } = start();
  held.press("one", 1, 3);
  held.press("two", 1, 4);
  held.press("three", 2, 4);
  news();
  held.releaseButton(1, 4);
  assertEquals(news(), ["1/4 0"]);
  held.releaseAll();
  assertEquals(news(), ["1/3 0", "2/4 0"]);
});

Deno.test("after a loss of the console nothing is told, for it has let go of all by itself", () => {
  const { held, news } = start();
  held.press("finger", 1, 3);
  news();
  held.forget();
  held.release("finger");
  assertEquals([news(), held.isHeld(1, 3)], [[], false]);
});
