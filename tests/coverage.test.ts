import { assert } from "@std/assert";

const root = new URL("../", import.meta.url);

Deno.test("the coverage page names only tests that are there", async () => {
  const page = await Deno.readTextFile(new URL("docs/coverage.md", root));
  const cells = page.split("\n").filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").at(-2)!.trim())
    .filter((cell) => cell !== "test" && cell !== "-" && !/^-+$/.test(cell));
  assert(cells.length > 20);
  for (const test of cells.flatMap((cell) => cell.split(", "))) {
    assert((await Deno.stat(new URL(`tests/${test}`, root))).isFile !== undefined, test);
  }
});
