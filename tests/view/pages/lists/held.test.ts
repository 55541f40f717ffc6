/** Buttons of external lists are pressed and released exactly as fingers hold them. */
import { assertEquals } from "@std/assert";
import { createHeld } from "../../../../view/pages/lists/held.ts";

function start() {
  const told: string[] = [];
  const held = createHeld((list, entry, on) => told.push(`${list}/${entry} ${on}`), () => {});
  /** Returns the messages since the last call. */
  return { held, news: () => told.splice(0) };
}

Deno.test("a press and a release of a button are sent once each", () => {
  const { held, news } = start();
  held.press("finger", 1, 3);
  assertEquals([held.isHeld(1, 3), held.isHeld(1, 2), held.isHeld(2, 3)], [true, false, false]);
  assertEquals(news(), ["1/3 1"]);
  held.release("finger");
  held.release("finger");
  assertEquals(news(), ["1/3 0"]);
  assertEquals(held.isHeld(1, 3), false);
});

Deno.test("a button held by several fingers is released by the last finger", () => {
  const { held, news } = start();
  held.press("one", 1, 3);
  held.press("two", 1, 3);
  held.release("one");
  assertEquals(news(), ["1/3 1"]);
  held.release("two");
  assertEquals(news(), ["1/3 0"]);
});

Deno.test("a finger that takes hold of another button releases the first", () => {
  const { held, news } = start();
  held.press("finger", 1, 3);
  held.press("finger", 1, 4);
  assertEquals(news(), ["1/3 1", "1/3 0", "1/4 1"]);
});

Deno.test("the holds of one button, or of all buttons, are released at once", () => {
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

Deno.test("after a loss of the console no release is sent: the console has released all buttons by itself", () => {
  const { held, news } = start();
  held.press("finger", 1, 3);
  news();
  held.forget();
  held.release("finger");
  assertEquals([news(), held.isHeld(1, 3)], [[], false]);
});
