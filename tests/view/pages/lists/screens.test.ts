/** The division of an external list's pages into screens. */
import { assert, assertEquals } from "@std/assert";
import { fitted, layoutOf, screensOf } from "../../../../view/pages/lists/screens.ts";

const pagesOf = (...sizes: number[]) =>
  sizes.flatMap((size, _page) => Array.from({ length: size }, () => ({ _page })));

Deno.test("a page that fits is one screen; a larger page is divided into several", () => {
  assertEquals(screensOf(pagesOf(2, 5, 1), 3), [
    { page: 0, entries: [0, 1] },
    { page: 1, entries: [2, 3, 4] },
    { page: 1, entries: [5, 6] },
    { page: 2, entries: [7] },
  ]);
  assertEquals(screensOf([], 3), []);
});

Deno.test("any layout fits the screen, with a place for each button", () => {
  for (const [width, height] of [[366, 640], [904, 620], [1800, 900], [812, 220], [50, 20]]) {
    const most = layoutOf(width!, height!);
    for (let count = 1; count <= most.columns * most.rows; count++) {
      const { columns, rows } = fitted(count, most);
      assert(columns <= most.columns && rows <= most.rows, `${width} x ${height}, ${count}`);
      assert(columns * rows >= count, `${width} x ${height}, ${count}`);
    }
  }
});

Deno.test("a page of 24 buttons fits a phone and a tablet", () => {
  assertEquals(layoutOf(366, 600), { columns: 3, rows: 10 });
  assertEquals(fitted(24, layoutOf(366, 600)), { columns: 3, rows: 8 });
  assertEquals(fitted(24, layoutOf(904, 620)), { columns: 6, rows: 4 });
});
