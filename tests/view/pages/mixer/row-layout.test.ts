import { assertEquals } from "@std/assert";
import { layoutOf, shownStrips } from "../../../../view/pages/mixer/row-layout.ts";

const rows: readonly (readonly [
  width: number,
  strips: number,
  perPage: number,
  stripWidth: number,
])[] = [
  [366, 8, 3, 122],
  [800, 8, 7, 114],
  [1700, 64, 16, 106],
  [1700, 4, 4, 220],
  [40, 8, 1, 40],
  [0, 8, 1, 0],
];
for (const [width, strips, perPage, stripWidth] of rows) {
  Deno.test(`of ${strips} strips ${perPage} stand on ${width} pixels`, () => {
    assertEquals(layoutOf(width, strips), { perPage, stripWidth });
  });
}

Deno.test("only what is on the screen is in the page, and one more at each edge", () => {
  const layout = layoutOf(1100, 500);
  assertEquals(layout, { perPage: 10, stripWidth: 110 });
  assertEquals(shownStrips(layout, 0, 1100, 500), [0, 11]);
  assertEquals(shownStrips(layout, 5555, 1100, 500), [49, 62]);
  assertEquals(shownStrips(layout, 53_900, 1100, 500), [489, 500]);
  assertEquals(shownStrips(layoutOf(0, 500), 0, 0, 500), [0, 0]);
});
