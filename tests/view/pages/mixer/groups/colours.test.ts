/** The contrast of the channel colours in the style sheets. */
import { assert, assertEquals } from "@std/assert";
import { COLOURS } from "../../../../../view/pages/mixer/groups/document.ts";

const styles = (path: string) =>
  Deno.readTextFileSync(new URL(`../../../../../view/${path}`, import.meta.url));
const own = styles("pages/mixer/groups/groups.css");
const tokens = styles("styles/1-tokens.css");

/** The values of a property in a look of the page; the dark look stands first. */
function valuesOf(text: string, property: string, look: "dark" | "light"): string[] {
  const [dark, light] = text.split(':root[data-theme="light"] {') as [string, string];
  const found = (look === "dark" ? dark : light).matchAll(
    new RegExp(`--${property}: (#[0-9a-f]{6})`, "g"),
  );
  return Array.from(found, ([, colour]) => colour!);
}

/** The relative luminance of a colour, from 0 to 1, as WCAG 2 defines it. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrastOf(one: string, other: string): number {
  const [low, high] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

for (const look of ["dark", "light"] as const) {
  Deno.test(`in the ${look} look text on a colour is readable, and colours stand out`, () => {
    const colours = valuesOf(own, "look", look);
    const [text] = valuesOf(own, "on-look", look);
    const [ground] = valuesOf(tokens, "surface", look);
    assertEquals(colours.length, COLOURS.length);
    for (const colour of colours) {
      assert(contrastOf(colour, text!) >= 4.5, `${colour} under ${text}`);
      assert(contrastOf(colour, ground!) >= 3, `${colour} on ${ground}`);
    }
  });
}
