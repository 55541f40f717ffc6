/** Colours of the buttons of external lists. */
import { assert, assertEquals } from "@std/assert";
import { coloursOf, contrast } from "../../../../view/pages/lists/colours.ts";

const LEAST = 4.5;
const parts = ["00", "33", "66", "80", "99", "cc", "ff"];
const all = parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => `${r}${g}${b}`)));

Deno.test("text is readable on any background colour of a list", () => {
  for (const color of all) {
    const { ground, text } = coloursOf({ color, background: true }, "dark")!;
    assertEquals(ground, `#${color}`);
    assert(contrast(ground!, text) >= LEAST, color);
  }
});

Deno.test("text of any colour is readable on the page, and keeps its colour where that is readable", () => {
  for (const [theme, ground] of [["dark", "#26292d"], ["light", "#ffffff"]] as const) {
    for (const color of all) {
      const found = coloursOf({ color }, theme)!;
      assert(contrast(ground, found.text) >= LEAST, `${color} ${theme}`);
      assertEquals(found.ground, undefined);
      if (contrast(ground, `#${color}`) >= LEAST) assertEquals(found.text, `#${color}`);
    }
  }
});

Deno.test("a button without a colour, or with an invalid colour, has the colours of the page", () => {
  for (const color of [undefined, "", "red", "12345", "1234567", "#12345"]) {
    const given = color === undefined ? {} : { color };
    assertEquals(coloursOf({ ...given, background: true }, "dark"), undefined);
  }
});
