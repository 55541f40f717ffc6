import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { layoutOf } from "../../../../view/pages/meters/layout.ts";

const layouts: readonly (readonly [
  what: string,
  given: readonly [meters: number, width: number, height: number],
  layout: object,
])[] = [
  ["two meters stand side by side", [2, 1800, 900], { columns: 2, rows: 1, pages: 1 }],
  ["a full row is followed by a second", [30, 1800, 900], { columns: 15, rows: 2, pages: 1 }],
  ["further meters stand on further pages", [66, 1000, 700], { columns: 11, rows: 2, pages: 3 }],
  ["a phone on its side has one row", [10, 800, 250], { columns: 5, rows: 1, pages: 2 }],
  ["the smallest area still has one meter", [3, 10, 10], { columns: 1, rows: 1, pages: 3 }],
];

for (const [what, given, layout] of layouts) {
  Deno.test(what, () => assertEquals(layoutOf(...given), layout));
}

Deno.test("every meter has a place, and no page is empty", () => {
  const size = fc.integer({ min: 0, max: 4000 });
  fc.assert(fc.property(fc.integer({ min: 1, max: 1100 }), size, size, (meters, width, height) => {
    const { columns, rows, pages } = layoutOf(meters, width, height);
    assert(columns * rows * pages >= meters);
    assert(columns * rows * (pages - 1) < meters);
    assert(columns === 1 || columns * 84 <= width);
  }));
});
