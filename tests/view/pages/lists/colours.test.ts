/** Colours of the buttons of external lists. */
import { assert, assertEquals } from "@std/assert";
import { coloursOf, contrast } from "../../../../view/pages/lists/colours.ts";

const LEAST = 4.5;
const parts = ["00", "33", "66", "80", "99", "cc", "ff"];
const all = parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => `${r}${g}${b}`)));

Deno.test("a text can be read on any ground that a list gives", () => {
  for (const color of all) {
    const { ground, text } = coloursOf({ color, background: true }, "dark")!;
    assertEquals(ground, `#${color}`);
    assert(contrast(ground!, text) >= LEAST, color);
  }
});

Deno.test("a text of any colour can be read on the page, and is as given where it can be", () => {
  for (const [theme, ground] of [["dark", "#26292d"], ["light", "#ffffff"]] as const) {
    for (const color of all) {
      const found = coloursOf({ color }, theme)!;
      assert(contrast(ground, found.text) >= LEAST, `${color} ${theme}`);
      assertEquals(found.ground, undefined);
      if (contrast(ground, `#${color}`) >= LEAST) assertEquals(found.text, `#${color}`);
    }
  }
});

Deno.test("a button without a colour, or with one that is none, has those of the page", () => {
  for (const color of [undefined, "", "red", "12345", "1234567", "#12345"]) {
    const given = color === undefined ? {} : { color };
    assertEquals(coloursOf({ ...given, background: true }, "dark"), undefined);
  }
});
