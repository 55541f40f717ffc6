import { assertEquals } from "@std/assert";
import { layoutOf, shownStrips } from "../../../../view/pages/mixer/row-layout.ts";

const rows: readonly (readonly [
  width: number,
  height: number,
  strips: number,
  perPage: number,
  stripWidth: number,
])[] = [
  [366, 600, 8, 3, 122],
  [800, 600, 8, 7, 114],
  [1700, 600, 64, 16, 106],
  [1700, 600, 4, 4, 220],
  [40, 600, 8, 1, 40],
  [0, 600, 8, 1, 0],
  [750, 250, 8, 4, 187],
];
for (const [width, height, strips, perPage, stripWidth] of rows) {
  Deno.test(`${perPage} of ${strips} strips fit ${width} by ${height} pixels`, () => {
    assertEquals(layoutOf(width, height, strips), {
      perPage,
      stripWidth,
      isCompact: height < 400,
    });
  });
}

Deno.test("only the strips on the screen and one more at each edge are in the page", () => {
  const layout = layoutOf(1100, 600, 500);
  assertEquals(layout.stripWidth, 110);
  assertEquals(shownStrips(layout, 0, 1100, 500), [0, 11]);
  assertEquals(shownStrips(layout, 5555, 1100, 500), [49, 62]);
  assertEquals(shownStrips(layout, 53_900, 1100, 500), [489, 500]);
  assertEquals(shownStrips(layoutOf(0, 600, 500), 0, 0, 500), [0, 0]);
});
